// A size of a group that the kernel requires, and no device has.
//
// args:     --num_groups=1
// verdict:  verified
// bug 1:    racy       the number of a work-item loses a bit
// bug 2:    unknown    more than the proof counts

#if BUG == 2
#define DEPTH 1024
#else
#define DEPTH 128
#endif

__attribute__((reqd_work_group_size(1024, 1024, DEPTH))) __kernel void
fill(__global int *out) { // expect 2: reqd_work_group_size is more than
  unsigned x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  unsigned t = x + 1024 * (y + (BUG == 1 ? 512 : 1024) * z);
  out[t] = t + z; // expect 1: write-write race on 'out'
}
