// A copy of no elements touches nothing.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       copies one element

#if BUG == 1
#define COUNT 1
#else
#define COUNT 0
#endif

kernel void tail(global const int *in, global int *out) {
  local int cell[64];
  int t = get_local_id(0);
  event_t copied = async_work_group_copy(cell + 4, in, COUNT, 0);
  cell[t] = t; // expect 1: write-write race on 'cell'
  wait_group_events(1, &copied);
  out[get_global_id(0)] = cell[t];
}
