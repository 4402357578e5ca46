// A bitonic merge of 128 keys by 64 work-items; the position is found by bit
// masks.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       the mask is one bit off
// bug 2:    racy       no barrier between the strides

kernel void merge(global uint *key) {
  local uint cell[128];
  uint t = get_local_id(0), first = get_group_id(0) * 128;
  cell[t] = key[first + t];
  cell[t + 64] = key[first + t + 64];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint stride = 64; stride > 0; stride >>= 1) {
#if BUG == 1
    uint low = 2 * t - (t & stride);
#else
    uint low = 2 * t - (t & (stride - 1));
#endif
    uint a = cell[low], b = cell[low + stride]; // expect 1,2: race on 'cell'
    cell[low] = min(a, b);                      // allow 1,2: race on 'cell'
    cell[low + stride] = max(a, b);             // allow 1,2: race on 'cell'
#if BUG != 2
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  key[first + t] = cell[t];
  key[first + t + 64] = cell[t + 64];
}
