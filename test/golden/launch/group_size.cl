// OpenCL names no limit of a group's size: processors take 8192 work-items.
//
// args:     --num_groups=1
// verdict:  verified
// bug 1:    racy       two that differ by 4096
// bug 2:    racy       two that differ by 8192

kernel void stamp(global int *out) {
  size_t t = get_local_id(0);
#if BUG == 1
  out[t % 4096] = t; // expect 1: write-write race on 'out'
#elif BUG == 2
  out[t % 8192] = t; // expect 2: write-write race on 'out'
#else
  out[t] = t;
#endif
}
