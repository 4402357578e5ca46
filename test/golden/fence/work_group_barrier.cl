// OpenCL 2's name of the barrier; a fence alone is none.
//
// args:     --local_size=64 --num_groups=2
// verdict:  verified
// bug 1:    racy       a fence orders the work-item's own accesses only

kernel void exchange(global const int *in, global int *out) {
  local int cell[64];
  int t = get_local_id(0);
  cell[t] = in[t];
#if BUG == 1
  mem_fence(CLK_LOCAL_MEM_FENCE);
#else
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = cell[t ^ 3]; // expect 1: read-write race on 'cell'
}
