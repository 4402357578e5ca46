// A pointer that has been stored to local memory is lost track of.
//
// args:     --local_size=64 --num_groups=1
// verdict:  unknown

kernel void indirect(global int *out) {
  local int *local table[64];
  local int cell[64];
  int t = get_local_id(0);
  table[t] = &cell[63 - t];
  barrier(CLK_LOCAL_MEM_FENCE);
  *table[t ^ 1] = t; // expect 0: pointer
}
