// One event for all copies of a loop.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    unknown    each one has an event of its own
// bug 2:    racy       used before the wait
// bug 3:    racy       two copies to one place

kernel void gather(global const int *in, global int *out) {
  local int tile[256];
  int t = get_local_id(0);
  event_t all = 0;
  for (int i = 0; i < 4; i++) {
    local int *to = tile + (BUG == 3 ? i * 32 : i * 64);
#if BUG == 1
    all = async_work_group_copy(to, in + i * 100, 64, 0); // expect 1: event
#else
    all = async_work_group_copy(to, in + i * 100, 64, all); // expect 3: race
#endif
  }
#if BUG == 2
  barrier(CLK_LOCAL_MEM_FENCE);
  int early = tile[t % 4 * 64 + t]; // expect 2: race on 'tile'
#endif
  wait_group_events(1, &all);
  out[get_global_id(0)] = tile[t % 4 * 64 + t];
}
