// Counts in local memory; every group has its own row of results.
//
// args:     --local_size=64 --num_groups=8
// verdict:  verified
// bug 1:    racy       no barrier before the counts are stored
// bug 2:    racy       all groups store to the same row

kernel void histogram(global const uchar *data, global uint *out, uint n) {
  __requires(n <= 1 << 30);
  local uint bins[256];
  uint t = get_local_id(0);
  for (uint i = t; i < 256; i += 64)
    bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&bins[data[i]]); // expect 1: race on 'bins'
#if BUG != 1
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
#if BUG == 2
  uint row = 0;
#else
  uint row = get_group_id(0);
#endif
  for (uint i = t; i < 256; i += 64)
    out[row * 256 + i] = bins[i]; // expect 2: write-write race on 'out'
}
