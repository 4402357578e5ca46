/* The other file of as_nvcc.cu, in C as it was. */

int doubled(x) int x;
{ return 2 * x; }
