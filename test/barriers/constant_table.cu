// The constants decide who waits for whom.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       two warps name different barriers

#include "named.h"

#if BUG == 1
__constant__ int names[2] = {1, 2};
#else
__constant__ int names[2] = {1, 1};
#endif

__global__ void __launch_bounds__(64) swap(int *out) {
  __shared__ int cell[64];
  cell[threadIdx.x] = threadIdx.x; // expect 1: race in shared memory
#if BUG == 1
  bar_sync(names[threadIdx.x / 32], 32);
#else
  bar_sync(names[threadIdx.x / 32], 64);
#endif
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
