// A wait is for the event that lies in the variable when it comes.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    unknown    another event lies there
// bug 2:    unknown    ... put there by a function

void put(event_t *to, const event_t *from) { *to = *from; }

kernel void add(global const int *in, local int *tile, global int *out) {
  event_t none, copy;
  wait_group_events(1, &none);
  copy = async_work_group_copy(tile, in, 64, 0); // expect 1,2: event
#if BUG == 1
  copy = none;
#elif BUG == 2
  put(&copy, &none);
#endif
  wait_group_events(1, &copy);
  out[get_local_id(0)] = tile[63 - get_local_id(0)];
}
