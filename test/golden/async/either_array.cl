// Into one array or the other: one work-item copies, wherever it goes.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       reads before the wait
// bug 2:    racy       writes what is copied

kernel void twice(global int *p, global int *q) {
  local int x[64], y[64];
  int t = get_local_id(0), first = get_global_id(0) - t;
  local int *tile = get_group_id(0) == 1 ? x : y;
  global int *data = get_group_id(0) == 1 ? p : q;
  event_t copy = async_work_group_copy(tile, data + first, 64, 0);
#if BUG == 2
  data[first + t] = t; // expect 2: race on
#endif
#if BUG == 1
  int early = tile[63 - t]; // expect 1: race on
#endif
  wait_group_events(1, &copy);
  data[first + t] = 2 * tile[63 - t];
}
