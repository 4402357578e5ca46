// From OpenCL 2 on the last group may be smaller, unless the program is
// compiled with -cl-uniform-work-group-size.
//
// args:     --local_size=64 --clang-arg=-cl-std=CL2.0
// verdict:  verified
// bug 1:    racy       get_local_size is that of the last group there
// bug 2:    racy       a sum for each group, at its end

kernel void store(global int *out) {
  size_t t = get_local_id(0), group = get_group_id(0);
#if BUG == 1
  out[group * get_local_size(0) + t] = t + group; // expect 1: write-write race on 'out'
#elif BUG == 2
  if (t == 0)
    out[group * 32 + get_local_size(0)] = group; // expect 2: write-write race on 'out'
#else
  if (get_local_size(0) == 64)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[group * get_enqueued_local_size(0) + t] = t + group;
#endif
}
