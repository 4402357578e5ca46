// The work-item that exchanges first finds what was there before.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       what is put there may be what was there
// bug 2:    racy       the flag is of the group
// bug 3:    racy       a loop puts it back
// bug 4:    racy       it is put back in each round, behind a barrier

kernel void first(global const int *in, global int *data, global int *taken,
                  global int *sum) {
  local int here;
  int t = get_global_id(0);
  if (get_local_id(0) == 0)
    here = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#if BUG == 1
  if (atomic_xchg(&taken[in[t]], in[t + 1]) == 0)
#elif BUG == 2
  if (atomic_xchg(&here, 1) == 0)
#else
  if (atomic_xchg(&taken[in[t]], t + 1) == 0)
#endif
    data[in[t]] = t; // expect 1,2: write-write race on 'data'
#if BUG == 3
  for (int i = 0; i < 2; i++)
    if (atomic_xchg(&here, i) == 0)
      sum[get_group_id(0)] = t; // expect 3: write-write race on 'sum'
#elif BUG == 4
  for (int i = 0; i < 2; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
      here = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (atomic_xchg(&here, 1) == 0)
      sum[get_group_id(0)] = t; // expect 4: write-write race on 'sum'
  }
#else
  if (atomic_cmpxchg(&here, 0, 1) == 0)
    sum[get_group_id(0)] = t;
#endif
}
