// What an atomic load finds is not what a plain write left.
//
// args:    --local_size=64 --num_groups=1 --clang-arg=-cl-std=CL2.0
// verdict: verified
// bug 1:   racy  an atomic store comes between

__kernel void k(__global int *out) {
  __local int flag;
  int t = get_local_id(0);
  flag = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int v = BUG == 1 ? __opencl_atomic_load((__local atomic_int *)&flag,
                                          memory_order_relaxed,
                                          memory_scope_work_group)
                   : flag;
  if (t == 0)
    out[v] = 5; // expect 1: race on 'out'
#if BUG == 1
  if (t == 1) {
    __opencl_atomic_store((__local atomic_int *)&flag, 1, memory_order_relaxed,
                          memory_scope_work_group);
    out[1] = 7;
  }
#else
  if (t == 1)
    out[1] = 7;
#endif
}
