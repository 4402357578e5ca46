// Results leave local memory by an asynchronous copy.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       the cells change while they are being copied
// bug 2:    racy       the cells are copied before all are filled

kernel void squares(global int *out) {
  local int cell[64];
  int t = get_local_id(0);
  cell[t] = t * t; // expect 2: read-write race on 'cell'
#if BUG != 2
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  event_t copied =
      async_work_group_copy(out + get_group_id(0) * 64, cell, 64, 0);
#if BUG == 1
  cell[t] = 0; // expect 1: read-write race on 'cell'
#endif
  wait_group_events(1, &copied);
}
