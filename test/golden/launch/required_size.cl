// A global size that does not fit the size that the kernel requires of a group,
// and a second dimension that nothing in the kernel speaks of.
//
// args:     --global_size=128,2
// verdict:  verified, verified
// bug 1:    unknown, verified  groups of 96: the last one is smaller, and writes
//           what the first does
// bug 2:    unknown, verified  the group is larger than all that there is
// bug 3:    verified, racy     two rows

#if BUG == 1
#define SIZE 96
#elif BUG == 2
#define SIZE 256
#else
#define SIZE 64
#endif

__attribute__((reqd_work_group_size(SIZE, 1, 1))) __kernel void
required(__global int *out) { // expect 1,2: no multiple of reqd_work_group_size
  size_t row = get_global_size(0) * get_global_id(1);
  size_t first = BUG == 1 ? 0 : SIZE * get_group_id(0);
  out[row + first + get_local_id(0)] = get_global_id(0);
}

__kernel void two_rows(__global int *out) {
  size_t i = get_global_id(0);
#if BUG == 3
  out[i] = out[i] + 1; // expect 3: race on 'out'
#else
  out[i] = i;
#endif
}
