// A grid of more blocks than are looked at one by one: the first ones, the last
// ones and one in the middle are, and the verdict says that it was not all.
//
// technique: barriers
// args:     --gridDim=1000
// verdict:  verified-some
// bug 1:    racy   the last block
// bug 2:    racy   the second block

#include "named.h"

__global__ void __launch_bounds__(64) ends(int *out) {
  __shared__ int cell[65];
  cell[threadIdx.x] = threadIdx.x;
  if (blockIdx.x == 17)
    cell[64] = 17;
#if BUG == 1
  if (blockIdx.x + 1 == gridDim.x)
    cell[64] = threadIdx.x; // expect 1: race in shared memory
#elif BUG == 2
  if (blockIdx.x == 1)
    cell[64] = threadIdx.x; // expect 2: race in shared memory
#endif
  bar_sync(1, 64);
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
