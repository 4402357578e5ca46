// Reverses a group's elements through local memory.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       no barrier
// bug 2:    racy       a barrier that orders global memory only

kernel void reverse(global const int *in, global int *out) {
  local int cell[64];
  int t = get_local_id(0);
  cell[t] = in[get_global_id(0)];
#if BUG == 2
  barrier(CLK_GLOBAL_MEM_FENCE);
#elif BUG != 1
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = cell[63 - t]; // expect 1,2: read-write race on 'cell'
}
