// Sums a group of any size in local memory that comes as an argument.
//
// args:     --local_size=* --num_groups=*
// verdict:  verified
// bug 1:    racy       a missing barrier
// bug 2:    divergent  the barrier is only for those that add

kernel void reduce(global const int *in, global int *out, local int *sum) {
  size_t t = get_local_id(0);
  sum[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t s = get_local_size(0) / 2; s > 0; s /= 2) {
    if (t < s) {
#if BUG == 2
      barrier(CLK_LOCAL_MEM_FENCE); // expect 2: barrier
      sum[t] *= 2;
#else
      sum[t] += sum[t + s]; // expect 1: read-write race on 'sum'
#endif
    }
#if BUG == 0
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  if (t == 0)
    out[get_group_id(0)] = sum[0];
}
