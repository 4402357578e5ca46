// Who has waited for a copy finds what it brought, and not what was there
// before, though only one barrier lies between.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       the cells that decide are those copied to

__kernel void keep(__global int *out, __global const int *from) {
  __local int place[64], copy[64];
  int t = get_local_id(0);
  place[t] = t;
  copy[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_copy(copy, from, 64, 0);
  wait_group_events(1, &done);
#if BUG == 1
  out[copy[t] == t ? t : 64] = t; // expect 1: write-write race on 'out'
#else
  out[place[t]] = copy[t];
#endif
}
