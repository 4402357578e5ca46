// Two blocks read each other's shared memory.
//
// technique: barriers
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx80
// verdict:  verified
// bug 1:    racy       the other block may not have begun, nor have written
// bug 2:    racy       it may have ended
// bug 3:    racy       the arrival publishes nothing
// bug 4:    deadlock   one block does not come to the last barrier
// bug 5:    unknown    there is no third block
// bug 6:    racy       two arrivals without a wait between

#include "cluster.h"

__global__ void __cluster_dims__(2) __launch_bounds__(64) swap(int *out) {
  __shared__ int cell[64];
  unsigned other = cluster_rank() ^ (BUG == 5 ? 2 : 1);
  cell[threadIdx.x] = threadIdx.x; // expect 3: race
  if (BUG == 3)
    cluster_arrive_relaxed();
  else if (BUG != 1)
    cluster_arrive(); // allow 6: the first
  if (BUG == 6)
    cluster_arrive(); // expect 6: cluster barrier
  out[64] = cell[threadIdx.x];
  if (BUG != 1)
    cluster_wait(); // allow 6: for the next phase
  const int *peer = (const int *)map(cell, other);
  out[threadIdx.x] = peer[63 - threadIdx.x]; // expect 1,2,6: shared memory
  if (BUG == 4 && other)
    asm volatile("bar.sync 1, 96;"); // expect 4: deadlock
  if (BUG != 2)
    cluster_sync(); // allow 4,6: deadlock
}
