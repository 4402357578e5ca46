// Groups may skip a barrier as a whole.
//
// args:     --local_size=32 --num_groups=8
// verdict:  verified
// bug 1:    divergent  half of each group skips it

kernel void odd_groups(global int *out) {
  size_t t = get_local_id(0), g = get_group_id(0);
#if BUG == 1
  if (t & 1)
#else
  if (g & 1)
#endif
    barrier(CLK_LOCAL_MEM_FENCE); // expect 1: barrier
  out[g * 32 + t] = t;
}
