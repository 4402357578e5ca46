// A block other than the first: its number decides how many rounds there are.
//
// technique: barriers
// args:     --gridDim=4 --block=3
// verdict:  verified-each
// bug 1:    deadlock   one warp counts from the block before

#include "named.h"

__global__ void __launch_bounds__(64) rounds(int *out) {
  __shared__ int cell[64];
  int n = blockIdx.x;
#if BUG == 1
  n -= threadIdx.x / 32;
#endif
  for (int i = 0; i < n; i++) {
    cell[threadIdx.x] = i;
    bar_sync(1, 64); // expect 1: deadlock
    out[threadIdx.x] += cell[63 - threadIdx.x];
    bar_sync(2, 64); // allow 1: deadlock
  }
}
