// A barrier of the whole grid.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 11 10
// bug 1:    racy        no barrier
// bug 2:    deadlock    one block does not come to it

#include <cooperative_groups.h>

__global__ void exchange(int *cell, int *out) {
  cell[blockIdx.x] = 10 + blockIdx.x; // says 1: read-write race on 'cell'
#if BUG == 2
  if (blockIdx.x == 0)
#endif
#if BUG != 1
    cooperative_groups::this_grid().sync(); // says 2: deadlock
#endif
  out[blockIdx.x] = cell[1 - blockIdx.x];
}
