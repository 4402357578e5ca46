// Prefix sums in two local arrays whose pointers are exchanged every step.
//
// args:     --local_size=128 --num_groups=4
// verdict:  verified
// bug 1:    racy       the pointers are not exchanged
// bug 2:    racy       no barrier

kernel void scan(global int *data) {
  local int buffers[2][128];
  local int *from = buffers[0], *to = buffers[1];
  uint t = get_local_id(0);
  from[t] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
#if BUG == 1
  to = from;
#endif
  for (uint offset = 1; offset < 128; offset <<= 1) {
    uint left = t >= offset ? t - offset : t;
    to[t] = from[t] + from[left]; // expect 1,2: race on 'buffers'
#if BUG != 2
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    local int *swap = from;
    from = to;
    to = swap;
  }
  data[get_global_id(0)] = from[t];
}
