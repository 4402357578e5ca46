// A kernel that waits for all blocks elsewhere is launched cooperatively.
//
// args:   -nocudainc --blockDim=64 --gridDim=8
// repair: grid_waits.cu:14:3: insert 'cg::this_grid().sync();'

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void grid_waits(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  cg::this_grid().sync();
  b[i] = a[511 - i];
  a[i] = 2 * i;
}
