// Each thread adds to a cell of the other block, which waits for the bytes.
//
// technique: barriers
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx80
// verdict:  verified
// bug 1:    racy       nobody waits for the bytes
// bug 2:    deadlock   more bytes are announced than come
// bug 3:    racy       the cells are cleared when others may have added already
// bug 4:    racy       one thread stores to a cell that others add to

#include "cluster.h"

__device__ __forceinline__ void add_async(const void *to, unsigned value,
                                          const void *barrier, unsigned rank) {
  asm volatile("red.async.relaxed.cluster.shared::cluster"
               ".mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
                   map_shared(to, rank)),
               "r"(value), "r"(map_shared(barrier, rank))
               : "memory");
}

__global__ void __cluster_dims__(2) __launch_bounds__(64) sum(int *out) {
  __shared__ unsigned long long full;
  __shared__ int cell[8];
  unsigned other = cluster_rank() ^ 1;
  if (BUG != 3 && threadIdx.x < 8)
    cell[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    init(&full, 1);
    fence_init();
    expect(&full, BUG == 2 ? 260 : 256);
  }
  cluster_sync();
  if (BUG == 3 && threadIdx.x < 8)
    cell[threadIdx.x] = 0; // allow 3: race
  add_async(&cell[threadIdx.x % 8], // expect 1,3,4: shared memory
            threadIdx.x, &full, other);
  if (BUG == 4 && threadIdx.x == 9)
    cell[1] = 5;
  if (BUG != 1)
    wait_in_cluster(&full, 0); // expect 2: deadlock
  if (threadIdx.x < 8)
    out[threadIdx.x] = cell[threadIdx.x]; // allow 1,4: race
  cluster_sync();
}
