// A group's asynchronous copy, there and back.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 3 2 1 0 7 6 5 4
// bug 1:    racy        does not wait

kernel void reverse(global const int *in, global int *out) {
  local int cell[4];
  int t = get_local_id(0), first = get_group_id(0) * 4;
  event_t copied =
      async_work_group_copy(cell, in + first, 4, 0); // says 1: race on 'cell'
#if BUG != 1
  wait_group_events(1, &copied);
#endif
  out[first + t] = cell[3 - t];
}
