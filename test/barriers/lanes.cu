// The lanes of a warp are not in lock step.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       lanes pass values on without __syncwarp

__global__ void __launch_bounds__(64) reduce(int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x, lane = t % 32;
  cell[t] = t;
  for (int d = 16; d > 0; d /= 2) {
#if BUG != 1
    __syncwarp();
#endif
    if (lane < d)
      cell[t] += cell[t + d]; // expect 1: race in shared memory
  }
  if (lane == 0)
    out[t / 32] = cell[t];
}
