// Each group copies a column, of which the elements lie a row apart.
//
// args:     --local_size=64 --num_groups=8
// verdict:  verified
// bug 1:    racy       two groups write one column
// bug 2:    racy       columns that are two elements wide
// bug 3:    racy       uses the tile while it is copied
// bug 4:    divergent  strides that differ

kernel void flip(global const int *in, global int *out) {
  local int tile[128], back[64];
  int t = get_local_id(0), column = get_group_id(0);
  int width = get_num_groups(0);
  int n = BUG == 4 ? t : width;
  global const int *from = in + column;
  event_t e;
  e = async_work_group_strided_copy(tile, from, 64, n, 0); // expect 4: arguments
  tile[64 + t] = t;
  wait_group_events(1, &e);
  back[t] = tile[63 - t];
  barrier(CLK_LOCAL_MEM_FENCE);
#if BUG == 1
  column /= 2;
#elif BUG == 2
  width = width / 2;
#endif
  global int *to = out + column;
  e = async_work_group_strided_copy(to, back, 64, width, 0); // expect 1,2: race
#if BUG == 3
  back[t] = 0; // expect 3: race on 'back'
#endif
  wait_group_events(1, &e);
}
