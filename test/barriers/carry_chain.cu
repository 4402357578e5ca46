// A scan over warps: each waits for the carry of the one before it and arrives
// for the one behind it.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the carry is handed on before it is written
// bug 2:    deadlock   the chain is closed

#include "named.h"

enum { WARPS = 6 };

__global__ void __launch_bounds__(32 * WARPS) scan(const int *in, int *out) {
  __shared__ int carry[WARPS + 1];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = in[threadIdx.x];
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(0xffffffffu, sum, d);
    if (lane >= d)
      sum += other;
  }
#if BUG == 2
  bar_sync(1 + (warp + WARPS - 1) % WARPS, 64); // expect 2: deadlock
#else
  if (warp > 0)
    bar_sync(warp, 64);
#endif
  if (warp > 0)
    sum += carry[warp];
#if BUG == 1
  if (warp + 1 < WARPS)
    bar_arrive(1 + warp, 64);
#endif
  if (lane == 31)
    carry[warp + 1] = sum; // expect 1: race in shared memory
  __syncwarp();
#if BUG == 2
  bar_arrive(1 + warp, 64);
#elif BUG != 1
  if (warp + 1 < WARPS)
    bar_arrive(1 + warp, 64);
#endif
  out[threadIdx.x] = sum;
}
