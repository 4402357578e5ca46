// The attribute fixes the size of the group, which the cells are made for.
//
// args:     --num_groups=4
// verdict:  verified
// bug 1:    racy       a group of two rows: the rows share cells

#if BUG == 1
#define ROWS 2
#else
#define ROWS 1
#endif

kernel __attribute__((reqd_work_group_size(64, ROWS, 1))) void
mirror(global int *out) {
  local int cell[64];
  size_t t = get_local_id(0);
  cell[t] = get_local_id(1) + t; // expect 1: write-write race on 'cell'
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(1) == 0)
    out[get_group_id(0) * 64 + t] = cell[63 - t];
}
