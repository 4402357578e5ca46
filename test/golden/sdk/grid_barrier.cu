// The barrier of the grid that the CUDA SDK's own header has.
//
// args:     --blockDim=64 --gridDim=8
// needs:    cuda
// verdict:  verified
// bug 1:    racy       the barrier of the block
// bug 2:    divergent  some blocks do not come

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void shift(int *a, int *b, int n) {
  cg::grid_group grid = cg::this_grid();
  for (int i = 0; i < n; i++) {
    for (int j = grid.thread_rank(); j < 4096; j += grid.size())
      b[j] = a[(j + 1) % 4096]; // expect 1: race on
#if BUG == 1
    cg::this_thread_block().sync();
#else
    grid.sync();
#endif
    int *from = a;
    a = b;
    b = from;
  }
#if BUG == 2
  if (blockIdx.x > 0)
    grid.sync(); // expect 2: barrier divergence
#endif
}
