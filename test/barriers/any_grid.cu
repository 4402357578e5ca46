// Nobody says how many blocks there are: a few of small grids are looked at.
//
// technique: barriers
// verdict:  verified-some
// bug 1:    racy       where there is a second block, it writes to one cell
// bug 2:    racy       the last block of several does
// bug 3:    deadlock   only where there are several blocks

#include "named.h"

__global__ void __launch_bounds__(64) small(int *out) {
  __shared__ int cell[65];
  cell[threadIdx.x] = threadIdx.x;
  if (gridDim.x == 1 || blockIdx.x > 0)
    cell[64] = 1;
#if BUG == 1
  if (blockIdx.x == 1)
    cell[64] = threadIdx.x; // expect 1: race in shared memory
#elif BUG == 2
  if (blockIdx.x > 0 && blockIdx.x + 1 == gridDim.x)
    cell[64] = threadIdx.x; // expect 2: race in shared memory
#elif BUG == 3
  if (gridDim.x > 1 && threadIdx.x >= 32)
    return;
#endif
  bar_sync(1, 64); // expect 3: deadlock
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
