// Reverses a group's elements through global memory.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       a barrier that orders local memory only

kernel void reverse(global int *scratch, global int *out) {
  int t = get_local_id(0), first = get_group_id(0) * 64;
  scratch[first + t] = t;
#if BUG == 1
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  out[first + t] = scratch[first + 63 - t]; // expect 1: race on 'scratch'
}
