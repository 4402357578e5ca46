// The attribute may say that it is not.
//
// args: -nocudainc
// none: but one of the grid, for kernels that are launched cooperatively

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void grid_no_attribute(int *a, int *b) {
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
  own[0].val.cooperative = 0;
  config.attrs = own;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, grid_no_attribute, a, b);
}
