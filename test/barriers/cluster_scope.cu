// An arrival from another block that says nothing of its scope, as pipelines of
// NVIDIA's have it: SOUND(cluster-scope).
//
// technique: barriers
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx80
// verdict:  verified
// bug 1:    racy       nobody waits for it
// bug 2:    unknown    an atomic for the threads of the block alone

#include "cluster.h"

__device__ __forceinline__ void arrive_plainly(const void *barrier,
                                               unsigned rank) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(
                   map_shared(barrier, rank))
               : "memory");
}

__global__ void __cluster_dims__(2) __launch_bounds__(32) hand_over(int *out) {
  __shared__ unsigned long long full;
  __shared__ int cell[32];
  unsigned rank = cluster_rank();
  if (threadIdx.x == 0)
    init(&full, 32);
  cluster_sync();
  int *theirs = (int *)map(cell, 1);
  if (rank == 0) {
    theirs[threadIdx.x] = threadIdx.x; // expect 1: race
    if (BUG == 2)
      asm volatile("red.relaxed.cta.shared::cluster.add.u32 [%0], 1;" ::"r"(
                       map_shared(cell, 1))
                   : "memory");
    arrive_plainly(&full, 1);
  } else {
    if (BUG != 1)
      wait(&full, 0);
    out[threadIdx.x] = cell[31 - threadIdx.x]; // allow 1: the other end
  }
  cluster_sync();
}
