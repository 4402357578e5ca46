// A pointer that has been stored to local memory is lost track of.
//
// args:     --local_size=64 --num_groups=1
// verdict:  unknown
// bug 1:    unknown    nor is one followed that was never stored

kernel void indirect(global int *out) {
  local int *local table[64];
  local int cell[64];
  int t = get_local_id(0);
#if BUG == 0
  table[t] = &cell[63 - t];
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  *table[BUG ? 7 : t ^ 1] = t; // expect 0,1: pointer
}
