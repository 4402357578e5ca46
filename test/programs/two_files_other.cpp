// The other file of two_files.cu.

int twice(int x);
int twice(int x) { return 2 * x; }
