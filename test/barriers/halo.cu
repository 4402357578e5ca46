// Warps exchange the borders of their strips, with a barrier for each border
// instead of one for the block.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       a warp takes the right border for the left one
// bug 2:    racy       borders are written again before they are read

#include "named.h"

enum { WARPS = 4, STEPS = 3, SIDES = 2 };

__device__ void meet(int border) {
  if (border > 0 && border < WARPS)
    bar_sync(border, 64);
}

__global__ void __launch_bounds__(32 * WARPS) smooth(float *data) {
  __shared__ float border[SIDES][2][WARPS + 1];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float value = data[threadIdx.x];
  for (int i = 0; i < STEPS; i++) {
#if BUG == 2
    int side = 0;
#else
    int side = i % SIDES;
#endif
    if (lane == 0)
      border[side][0][warp] = value; // expect 1,2: race in shared memory
    if (lane == 31)
      border[side][1][warp + 1] = value; // allow 1,2: race
    __syncwarp();
#if BUG == 1
    meet(warp == 2 ? 3 : warp);
#else
    meet(warp);
#endif
    meet(warp + 1); // expect 1: deadlock
    float left = __shfl_up_sync(0xffffffffu, value, 1);
    float right = __shfl_down_sync(0xffffffffu, value, 1);
    if (lane == 0 && warp > 0)
      left = border[side][1][warp];
    if (lane == 31 && warp + 1 < WARPS)
      right = border[side][0][warp + 1];
    value = (left + right) / 2;
  }
  data[threadIdx.x] = value;
}
