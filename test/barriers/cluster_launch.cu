// The host says how large clusters are, by an attribute of the launch.
//
// technique: barriers
// needs:    cuda
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx80
// verdict:  verified
// bug 1:    racy       the blocks do not meet before the value is read
// bug 2:    unknown    the host does not say how large the cluster is

#include <cooperative_groups.h>

__global__ void swap(int *out) {
  __shared__ int cell[64];
  cooperative_groups::cluster_group cluster =
      cooperative_groups::this_cluster();
  cluster.sync();
  int *other = cluster.map_shared_rank(cell, cluster.block_rank() ^ 1);
  other[threadIdx.x] = threadIdx.x; // allow 1: race
#if BUG != 1
  cluster.sync();
#endif
  out[threadIdx.x] = cell[63 - threadIdx.x]; // expect 1: race in shared memory
}

void launch(int *out, unsigned size) {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute[1];
  config.gridDim = dim3(8, 1, 1);
  config.blockDim = dim3(64, 1, 1);
  attribute[0].id = cudaLaunchAttributeClusterDimension;
#if BUG == 2
  attribute[0].val.clusterDim.x = size;
#else
  attribute[0].val.clusterDim.x = 2;
#endif
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, swap, out);
}
