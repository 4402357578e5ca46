// To name the grid is not to wait for it: a kernel may do so however it is
// launched.
//
// args: -nocudainc --blockDim=64 --gridDim=8
// none: but one of the grid, for kernels that are launched cooperatively

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void grid_named(int *a, int *b) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank();
  a[i] = i;
  cg::this_thread_block().sync();
  b[i] = a[i ^ 64];
}
