// The group copies a piece of global memory to local memory and waits for it.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       does not wait
// bug 2:    racy       waits only after the first use

kernel void reverse(global const int *in, global int *out) {
  local int cell[64];
  int t = get_local_id(0), first = get_group_id(0) * 64;
  event_t copied = async_work_group_copy(cell, in + first, 64, 0);
#if BUG == 0
  wait_group_events(1, &copied);
#endif
  out[first + t] = cell[63 - t]; // expect 1,2: read-write race on 'cell'
#if BUG == 2
  wait_group_events(1, &copied);
#endif
}
