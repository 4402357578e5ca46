// What a loop carries has to be the same in all blocks where it decides about a
// barrier of the grid.
//
// args:     --blockDim=64 --gridDim=8 --only-divergence
// verdict:  verified
// bug 1:    divergent  the loop starts with the block's number
// bug 2:    divergent  barriers of the block count other rounds in each

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void rounds(int n) {
#if BUG == 1
  for (int x = blockIdx.x; x < n; x = 3 * x + 1)
    cg::this_grid().sync(); // expect 1: leave the loop around this barrier
#else
  int v = 1;
  for (int x = BUG == 2 ? blockIdx.x : 1; x < n; x = 3 * x + 1) {
    __syncthreads();
    v = 5 * v + 1;
  }
  if (v > 70)
    cg::this_grid().sync(); // expect 2: barrier
#endif
}
