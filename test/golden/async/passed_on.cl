// Copies that are given the event of the one before belong to it.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    unknown    the second one has an event of its own
// bug 2:    racy       used before the wait
// bug 3:    unknown    given what may be no event, and its own is dropped
// bug 4:    unknown    the event was waited for, and its own is dropped
// bug 5:    unknown    given one event, kept where another one lies
// bug 6:    unknown    given what was the event before the first copy
// bug 7:    unknown    given an event that not all groups have

kernel void add(global const int *a, global const int *b, global int *out) {
  local int x[64], y[64], z[64];
  int t = get_local_id(0), i = get_global_id(0), first = i - t;
  event_t all = 0, other = 0;
#if BUG == 6
  event_t old = all;
  all = async_work_group_copy(x, a + first, 64, 0);
  async_work_group_copy(y, b + first, 64, old); // expect 6: event
#elif BUG == 7
  if (get_group_id(0) > 0)
    all = async_work_group_copy(x, a + first, 64, 0);
  async_work_group_copy(y, b + first, 64, all); // expect 7: event
#elif BUG == 3
  async_work_group_copy(y, b + first, 64, all); // expect 3: event
#endif
  all = async_work_group_copy(x, a + first, 64, all); // expect 1: event
#if BUG == 4
  wait_group_events(1, &all);
  async_work_group_copy(y, b + first, 64, all); // expect 4: event
#elif BUG == 1
  all = async_work_group_copy(y, b + first, 64, 0);
#else
  all = async_work_group_copy(y, b + first, 64, all);
#endif
#if BUG == 5
  other = async_work_group_copy(z, b + first, 64, all); // expect 5: event
#else
  async_work_group_copy(z, a + first, 64, all);
#endif
#if BUG == 2
  int early = x[63 - t] + z[63 - t]; // expect 2: race on
#endif
  wait_group_events(1, &all);
  wait_group_events(1, &other);
  out[i] = x[63 - t] + y[63 - t] + z[63 - t];
}
