// Two launches that differ in the size of their clusters alone are two, and a
// launch has those clusters that its own attributes say.
//
// args:     --barriers=auto --clang-arg=--cuda-gpu-arch=sm_90
// verdict:  verified, verified
// bug 1:    verified, deadlock   in a cluster of two, a warp waits for another
// bug 2:    verified, deadlock   attributes of another launch say two
// bug 3:    verified, deadlock   the attribute is not handed over
// bug 4:    verified, deadlock   its attribute is another one
// bug 5:    verified, deadlock   its attribute may be ignored
// bug 6:    verified, deadlock   somebody else may change it

__device__ static unsigned blocks_of_cluster() {
  unsigned count;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
  return count;
}

__global__ void other() { __syncthreads(); }

__global__ void meet() {
#if BUG
  if (blocks_of_cluster() == (BUG == 1 ? 1 : 2) || threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory"); // expect 1,2,3,4,5,6: deadlock
#else
  __syncthreads();
#endif
}

void change(cudaLaunchAttribute *);

void launch(bool is_alone) {
  cudaLaunchConfig_t config = {}, plain = {};
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
  plain.gridDim = dim3(4);
  plain.blockDim = dim3(64);
#if BUG == 3
  plain.attrs = attribute;
  plain.numAttrs = 0;
#endif
#if BUG >= 4
  cudaLaunchAttribute own[1];
  own[0].id = cudaLaunchAttributeCooperative;
  plain.dynamicSmemBytes = 0;
  plain.attrs = own;
  plain.numAttrs = 1;
#endif
#if BUG == 6
  own[0].val.clusterDim.x = 2;
  own[0].val.clusterDim.y = 1;
  own[0].val.clusterDim.z = 1;
  change(own);
#endif
#if BUG == 5
  own[0].id = is_alone ? cudaLaunchAttributeIgnore
                       : cudaLaunchAttributeClusterDimension;
  own[0].val.clusterDim.x = 2;
  own[0].val.clusterDim.y = 1;
  own[0].val.clusterDim.z = 1;
#endif
#if BUG >= 2
  cudaLaunchKernelEx(&config, other);
  cudaLaunchKernelEx(&plain, meet);
#else
  other<<<1, 1>>>();
  meet<<<4, 64>>>();
  cudaLaunchKernelEx(&config, meet);
#endif
}
