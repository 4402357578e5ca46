// A table of constants in a variable of the work-item: OpenCL keeps the constants
// in a space of their own, and functions have generic pointers to the variable.
//
// args: --local_size=64 --num_groups=1
// verdict: verified, verified
// bug 1: racy, verified  two entries are closer than that
// bug 2: racy, verified  one more entry is read than it has
// bug 3: verified, racy  an entry is changed
// bug 4: verified, racy  ... through a pointer
// bug 5: verified, racy  another table is meant

__kernel void local_table(__global int *out) {
  int base[4] = {192, 0, BUG == 1 ? 127 : 128, 64};
  for (int i = 0; i < 4 + (BUG == 2); i++)
    out[base[i] + get_local_id(0)] = i; // expect 1,2: write-write race on 'out'
}

int entry(const int *table, int i) { return table[i]; }

void change(int *table, int i) { table[i] = 65; }

__kernel void by_pointer(__global int *out, int n) {
  int first[4] = {64, 0, 192, 128}, other[4] = {0, 1, 2, 3};
  if (BUG == 3)
    first[n & 3] = 65;
  if (BUG == 4)
    change(first, n & 3);
  for (int i = 0; i < 4; i++)
    out[entry(BUG == 5 ? other : first, i) + get_local_id(0)] = i; // expect 3,4,5: write-write race on 'out'
}
