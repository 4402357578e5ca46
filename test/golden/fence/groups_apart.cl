// A barrier orders the work-items of one group: what another group wrote must
// not be read.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       reads across the border of the group

kernel void exchange(global int *scratch, global int *out) {
  size_t i = get_global_id(0);
  scratch[i] = i;
  barrier(CLK_GLOBAL_MEM_FENCE);
#if BUG == 1
  out[i] = scratch[(i + 1) % 256]; // expect 1: read-write race on 'scratch'
#else
  out[i] = scratch[i ^ 1];
#endif
}
