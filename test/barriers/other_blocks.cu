// What a block does depends on its number, and each block of the grid is looked
// at without having been asked for.
//
// technique: barriers
// args:     --gridDim=4,2
// verdict:  verified-each
// bug 1:    deadlock   the third block has no second warp at the barrier
// bug 2:    racy       the last block of the second row writes to one cell
// bug 3:    divergent  the number of the block is the count of the barrier

#include "named.h"

__global__ void __launch_bounds__(64) roles(int *out) {
  __shared__ int cell[128];
  int name = 1 + blockIdx.x, count = 64;
  cell[threadIdx.x + 16 * blockIdx.y] = threadIdx.x;
#if BUG == 1
  if (blockIdx.x == 2 && threadIdx.x >= 32)
    return;
#elif BUG == 2
  if (blockIdx.x == 3 && blockIdx.y == 1)
    cell[100] = threadIdx.x; // expect 2: race in shared memory
#elif BUG == 3
  count = 64 - 32 * (blockIdx.x & threadIdx.x / 32);
#endif
  bar_sync(name, count); // expect 1,3: 
  out[threadIdx.x] = cell[63 - threadIdx.x + 16 * blockIdx.y];
}
