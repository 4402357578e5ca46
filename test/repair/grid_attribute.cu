// An attribute of the launch says it, and a tile of a block is no grid.
//
// args: -nocudainc
// repair: grid_attribute.cu:13:3: insert 'cg::this_grid().sync();'

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void grid_attribute(int *a, int *b) {
  cg::thread_block block = cg::this_thread_block();
  int i = blockIdx.x * 64 + block.thread_rank();
  a[i] = i;
  b[i] = a[i ^ 64];
}

int main() {
  int *a, *b;
  cudaMalloc(&a, 512 * sizeof(int));
  cudaMalloc(&b, 512 * sizeof(int));
  cudaLaunchAttribute own[1];
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(8);
  config.blockDim = dim3(64);
  own[0].id = cudaLaunchAttributeCooperative;
  own[0].val.cooperative = 1;
  config.attrs = own;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, grid_attribute, a, b);
}
