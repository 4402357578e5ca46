// Two copies on their way.  What the one has brought is used when it is there,
// though the other one is not.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       waits for the other one
// bug 2:    racy       uses both when the second one is there

kernel void add(global const int *a, global const int *b, global int *out) {
  local int x[64], y[64];
  int t = get_local_id(0), i = get_global_id(0), first = i - t;
  event_t of_x = async_work_group_copy(x, a + first, 64, 0);
  event_t of_y = async_work_group_copy(y, b + first, 64, 0);
#if BUG == 1
  wait_group_events(1, &of_x);
#else
  wait_group_events(1, &of_y);
#endif
  int sum = y[63 - t]; // expect 1: race on 'y'
#if BUG == 0
  wait_group_events(1, &of_x);
#endif
  out[i] = sum + x[63 - t]; // expect 2: race on 'x'
#if BUG == 1
  wait_group_events(1, &of_y);
#elif BUG == 2
  wait_group_events(1, &of_x);
#endif
}
