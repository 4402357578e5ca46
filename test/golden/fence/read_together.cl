// A cell that all read between two barriers for its memory is the same for all.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy  the barrier is for other memory

kernel void decide(global int *more, global const int *in, global int *out) {
  int t = get_local_id(0);
  if (t == 0)
    *more = in[0]; // expect 1: race on 'more'
#if BUG == 1
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  if (*more) // allow 1: race on 'more'
    barrier(CLK_GLOBAL_MEM_FENCE); // allow 1: barrier
  out[t] = t;
}
