// One barrier for both kinds of memory.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       the flag for local memory is missing
// bug 2:    racy       the flag for global memory is missing

kernel void exchange(global int *data, global int *out) {
  local int cell[64];
  int t = get_local_id(0);
  cell[t] = data[t];
  data[t] = 0;
#if BUG == 1
  barrier(CLK_GLOBAL_MEM_FENCE);
#elif BUG == 2
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
  int other = cell[t ^ 1]; // expect 1: read-write race on 'cell'
  int zero = data[t ^ 1];  // expect 2: read-write race on 'data'
  out[t] = other + zero;
}
