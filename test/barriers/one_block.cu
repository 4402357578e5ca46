// The second block has no second warp at the barrier, and only the first one is
// asked for.
//
// technique: barriers
// args:     --gridDim=2 --one-block
// verdict:  verified-some
// bug 1:    deadlock   the same happens in the first block

#include "named.h"

__global__ void __launch_bounds__(64) part(int *out) {
  __shared__ int cell[64];
  cell[threadIdx.x] = threadIdx.x;
#if BUG == 1
  if (blockIdx.x == 0 && threadIdx.x >= 32)
    return;
#else
  if (blockIdx.x == 1 && threadIdx.x >= 32)
    return;
#endif
  bar_sync(1, 64); // expect 1: deadlock
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
