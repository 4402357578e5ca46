// Two tiles: the next one comes while this one is used.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       the next one comes where others still read the last one
// bug 2:    racy       ... where this one is
// bug 3:    racy       waits when it is used
// bug 4:    racy       ... but the first time

kernel void add(global const int *in, global int *out, int tiles) {
  local int tile[2][64];
  int t = get_local_id(0), sum = 0;
  event_t next = async_work_group_copy(tile[0], in, 64, 0);
  for (int i = 0; i < tiles; i++) {
    if (BUG < 3 || (BUG == 4 && i == 0))
      wait_group_events(1, &next);
#if BUG != 1
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#if BUG >= 3
    sum += tile[i & 1][63 - t]; // expect 3,4: race on 'tile'
    wait_group_events(1, &next);
#endif
    int to = BUG == 2 ? i & 1 : (i + 1) & 1;
    next = async_work_group_copy(tile[to], in + i * 64 + 64, 64, 0);
    sum += tile[i & 1][63 - t]; // expect 1,2: race on 'tile'
  }
  wait_group_events(1, &next);
  out[get_global_id(0)] = sum;
}
