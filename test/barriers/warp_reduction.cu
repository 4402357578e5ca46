// Three warps add up, the fourth one collects what they have.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       a lane arrives with its warp, but writes behind that
// bug 2:    divergent  the collector waits for all four to arrive and itself
// bug 3:    racy       the last warp takes part in the sum, too

#include "named.h"

__global__ void __launch_bounds__(128) total(const int *in, int *out) {
  __shared__ int sum[4];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2)
    value += __shfl_down_sync(0xffffffffu, value, d);
  if (warp < 3) {
#if BUG == 1
    bar_arrive(1, 128);
    if (lane == 0)
      sum[warp] = value; // expect 1: race in shared memory
#else
    if (lane == 0)
      sum[warp] = value;
    __syncwarp();
    bar_arrive(1, 128);
#endif
    return;
  }
#if BUG == 2
  bar_sync(1, 160); // expect 2: different numbers
#else
  bar_sync(1, 128);
#endif
#if BUG == 3
  sum[lane % 4] = value; // expect 3: write-write race in shared memory
#endif
  if (lane == 0)
    *out = sum[0] + sum[1] + sum[2] + value; // allow 3: race
}
