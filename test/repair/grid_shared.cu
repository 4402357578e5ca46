// The function is also called by a kernel of which it is not known, so the
// barrier cannot stand there.
//
// args: -nocudainc --blockDim=64 --gridDim=8
// none: there is no place in the source where a change could help

#include <cooperative_groups.h>

__device__ void both(int *a, int *b, int i) {
  a[i] = i;
  b[i] = a[i ^ 64];
}

__global__ void grid_shared(int *a, int *b) {
  cooperative_groups::this_grid().sync();
  both(a, b, blockIdx.x * 64 + threadIdx.x);
}

__global__ void one_block(int *a, int *b) {
  if (blockIdx.x == 0)
    both(a, b, threadIdx.x);
}
