// An event lies in its variable from the copy on, or nobody can tell which copy a
// wait is for.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    unknown    it is kept behind a wait for what was there before
// bug 2:    unknown    ... which was of another copy
// bug 3:    unknown    a copy is given the event that was there before
// bug 4:    unknown    the event is lost, and then kept
// bug 5:    unknown    a wait in the midst of the expression
// bug 6:    racy       a wait for halves of two events
// bug 7:    unknown    all elements come from one place

kernel void mirror(global const int *in, global int *out) {
  local int x[64], y[64];
  int t = get_local_id(0);
  event_t e[3], none = 0;
  e[0] = none;
#if BUG == 1
  event_t later = async_work_group_copy(x, in, 64, 0); // expect 1: kept
  wait_group_events(1, &e[0]);
  e[0] = later;
#elif BUG == 2
  e[0] = async_work_group_copy(y, in, 64, 0);
  event_t later = async_work_group_copy(x, in, 64, 0); // expect 2: kept
  wait_group_events(1, &e[0]);
  out[get_global_id(0) + 1024] = x[63 - t];
  e[0] = later;
#elif BUG == 3
  event_t later = async_work_group_copy(y, in, 64, 0); // expect 3: kept
  async_work_group_copy(x, in, 64, e[0]);
  e[0] = later;
#elif BUG == 4
  e[0] = async_work_group_copy(x, in, 64, 0);
  event_t later = async_work_group_copy(y, in, 64, e[0]); // expect 4: kept
  e[0] = none;
  wait_group_events(1, &e[0]);
  out[get_global_id(0) + 1024] = x[63 - t];
  e[0] = later;
#elif BUG == 5
  *(wait_group_events(1, e), out[get_global_id(0) + 1024] = x[63 - t], e) =
      async_work_group_copy(x, in, 64, 0); // expect 5: kept
#elif BUG == 7
  e[0] = async_work_group_strided_copy(x, in, 64, 0, 0); // expect 7: stride
#else
  e[BUG == 6] = async_work_group_copy(x, in, 64, 0);
#endif
#if BUG == 6
  wait_group_events(1, (event_t *)((private char *)e + 4));
#else
  wait_group_events(1, e);
#endif
  out[get_global_id(0)] = x[63 - t]; // expect 6: race on 'x'
}
