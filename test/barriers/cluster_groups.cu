// Blocks of a cluster share their memory by cooperative groups.
//
// technique: barriers
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx80
// verdict:  verified
// bug 1:    racy       the other blocks may not have begun
// bug 2:    racy       they may have ended
// bug 3:    racy       not all updates are atomic

#include <cooperative_groups.h>

namespace groups = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(64)
    histogram(int *sums) {
  __shared__ int bins[64];
  groups::cluster_group cluster = groups::this_cluster();
  unsigned rank = cluster.block_rank();
  bins[threadIdx.x] = 0;
  if (BUG != 1)
    cluster.sync();
  unsigned to = (threadIdx.x + rank) % cluster.num_blocks();
  int *others = cluster.map_shared_rank(bins, to);
  if (BUG == 3 && rank == 0)
    others[threadIdx.x / 4]++; // expect 3: race in shared memory
  else
    atomicAdd(&others[threadIdx.x / 4], 1); // expect 1,2,3: shared memory
  if (BUG != 2)
    cluster.sync();
  if (BUG != 2)
    sums[threadIdx.x] += bins[threadIdx.x];
}
