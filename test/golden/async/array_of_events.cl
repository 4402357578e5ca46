// Events in an array.  A wait is for some of them.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       waits for the first one
// bug 2:    racy       waits for the second one
// bug 3:    unknown    waits for so many as somebody says
// bug 4:    unknown    waits for one, who knows which
// bug 5:    unknown    one event is stored over the other
// bug 6:    unknown    something is stored over one of them

kernel void add(global const int *a, global const int *b, global int *out,
                int some) {
  local int x[64], y[64];
  int t = get_local_id(0), i = get_global_id(0), first = i - t;
  event_t of[2];
  of[0] = async_work_group_copy(x, a + first, 64, 0); // expect 5,6: event
  of[BUG != 5] = async_work_group_copy(y, b + first, 64, 0);
#if BUG == 6
  event_t none = 0;
  of[some & 1] = none;
#endif
#if BUG == 1
  wait_group_events(1, of);
#elif BUG == 2
  wait_group_events(1, of + 1);
#elif BUG == 3
  wait_group_events(some, of); // expect 3: number of events
#elif BUG == 4
  wait_group_events(1, of + (some & 1)); // expect 4: events
#else
  wait_group_events(1, of + 1);
  out[i] = y[63 - t];
  wait_group_events(2, of);
#endif
  int sum = x[63 - t]; // expect 2: race on 'x'
  sum += y[63 - t];    // expect 1: race on 'y'
  out[i] = sum;
#if BUG == 1 || BUG == 2
  wait_group_events(2, of);
#endif
}
