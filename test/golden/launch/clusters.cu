// Two launches that differ in the size of their clusters alone are two.
//
// args:     --barriers=auto --clang-arg=--cuda-gpu-arch=sm_90
// verdict:  verified
// bug 1:    deadlock   in a cluster of two, one warp waits for another one

__device__ static unsigned blocks_of_cluster() {
  unsigned count;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
  return count;
}

__global__ void meet() {
#if BUG == 1
  if (blocks_of_cluster() == 1 || threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory"); // expect 1: deadlock
#else
  __syncthreads();
#endif
}

void launch() {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute[1];
  config.gridDim = dim3(4);
  config.blockDim = dim3(64);
  config.dynamicSmemBytes = 0;
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 2;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  meet<<<4, 64>>>();
  cudaLaunchKernelEx(&config, meet);
}
