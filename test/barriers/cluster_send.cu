// A block copies from its shared memory into that of the next one.
//
// technique: barriers
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx80
// verdict:  verified
// bug 1:    racy       no proxy fence behind the writes
// bug 2:    racy       the block that sends may end before it is read
// bug 3:    racy       it writes there again, and nobody said that it may
// bug 4:    unknown    from another block

#include "cluster.h"

__device__ __forceinline__ void fetch(const void *to, const void *from,
                                      int bytes, const void *barrier,
                                      unsigned rank) {
  asm volatile(
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::"
      "complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(in_shared(to)),
      "r"(map_shared(from, rank)), "r"(bytes), "r"(in_shared(barrier))
      : "memory");
}

__global__ void __cluster_dims__(2) __launch_bounds__(32) hand_on(int *out) {
  __shared__ unsigned long long full;
  __shared__ __attribute__((aligned(16))) int from[32], to[32];
  unsigned rank = cluster_rank();
  if (threadIdx.x == 0) {
    init(&full, 1);
    fence_init();
  }
  cluster_sync();
  if (rank == 0) {
    from[threadIdx.x] = threadIdx.x; // expect 1: bulk copy
    if (BUG != 1)
      fence_proxy();
    asm volatile("bar.warp.sync -1;" ::: "memory");
    if (threadIdx.x == 0) {
      send(to, from, 128, &full, 1); // expect 2: still reads
      if (BUG == 4)
        fetch(to, from, 128, &full, 1);
    }
    if (BUG == 3)
      from[threadIdx.x] = 0; // expect 3: race
  } else {
    if (threadIdx.x == 0)
      expect(&full, 128);
    wait_in_cluster(&full, 0);
    out[threadIdx.x] = to[threadIdx.x];
  }
  if (BUG != 2)
    cluster_sync();
}
