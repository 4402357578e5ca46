// The same without __syncwarp, for those who say that warps are in lock step.
//
// technique: barriers
// args:     --warp-sync
// verdict:  verified
// bug 1:    racy       across two warps

__global__ void __launch_bounds__(64) reduce(int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x, lane = t % 32;
  cell[t] = t; // allow 1: race in shared memory
#if BUG == 1
  for (int d = 32; d > 0; d /= 2)
    if (t < d)
      cell[t] += cell[t + d]; // expect 1: race in shared memory
#else
  for (int d = 16; d > 0; d /= 2)
    if (lane < d)
      cell[t] += cell[t + d];
#endif
  if (lane == 0)
    out[t / 32] = cell[t];
}
