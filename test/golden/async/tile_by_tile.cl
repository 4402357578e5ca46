// A copy in each iteration, into the same tile.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       the next copy starts while others still read
// bug 2:    racy       reads before the wait
// bug 3:    racy       nobody waits
// bug 4:    racy       nobody can wait
// bug 5:    unknown    not all wait before the next copy has the variable

kernel void add(global const int *in, global int *out, int tiles) {
  local int tile[64];
  int t = get_local_id(0), sum = 0;
  event_t copy;
  for (int i = 0; i < tiles; i++) {
#if BUG == 4
    async_work_group_copy(tile, in + i * 64, 64, 0); // expect 4: race
#elif BUG == 5
    copy = async_work_group_copy(tile, in + i * 64, 64, 0); // expect 5: event
#else
    copy = async_work_group_copy(tile, in + i * 64, 64, 0); // expect 3: race
#endif
#if BUG == 2
    sum += tile[63 - t]; // expect 2: race on 'tile'
#endif
#if BUG < 3
    wait_group_events(1, &copy);
#elif BUG == 5
    if (i < tiles - 1)
      wait_group_events(1, &copy);
#endif
    sum += tile[63 - t]; // expect 1,3,4: race on 'tile'
#if BUG != 1
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  out[get_global_id(0)] = sum;
}
