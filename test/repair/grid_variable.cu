// By the variable that is there.
//
// args:   --blockDim=64 --gridDim=8
// repair: grid_variable.cu:17:3: insert 'grid.sync();'

#include <cooperative_groups.h>
using namespace cooperative_groups;

__device__ void copy(int *to, const int *from, int i) { to[i] = from[511 - i]; }

__global__ void grid_variable(int *a, int *b) {
  grid_group grid = this_grid();
  int i = grid.thread_rank();
  a[i] = i;
  grid.sync();
  copy(b, a, i);
  copy(a, b, i);
}
