// Waiting for a copy orders that copy, and no other one, nor what work-items do.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       the wait is taken for a barrier
// bug 2:    racy       the wait is for the other copy

kernel void add(global const int *in, global const int *more, local int *tile,
                local int *other, local int *own, global int *out) {
  int i = get_local_id(0);
  event_t first = async_work_group_copy(tile, in, 64, 0);
  event_t second = async_work_group_copy(other, more, 64, 0); // allow 2: copy
  own[i] = i;
  wait_group_events(1, &first);
#if BUG == 1
  int sum = own[63 - i]; // expect 1: race on 'own'
#else
  int sum = own[i];
#endif
#if BUG != 2
  wait_group_events(1, &second);
#endif
  out[i] = sum + tile[i] + other[i]; // expect 2: race on 'other'
#if BUG == 2
  wait_group_events(1, &second);
#endif
}
