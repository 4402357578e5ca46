// Each thread stores into the other block, which waits for the bytes.
//
// technique: barriers
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx80
// verdict:  verified
// bug 1:    racy       nobody waits for the bytes
// bug 2:    deadlock   more bytes are announced than come
// bug 3:    racy       two threads store to one place
// bug 4:    unknown    the mbarrier is in another block than the data
// bug 5:    unknown    a bulk copy takes it from there

#include "cluster.h"

__device__ __forceinline__ void store_astray(const void *to, unsigned value,
                                             const void *barrier,
                                             unsigned rank) {
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 "
      "[%0], %1, [%2];" ::"r"(map_shared(to, rank)),
      "r"(value), "r"(in_shared(barrier))
      : "memory");
}

__global__ void __cluster_dims__(2) __launch_bounds__(64)
    exchange(int *out, char *copied) {
  __shared__ unsigned long long full;
  __shared__ __attribute__((aligned(16))) int cell[64];
  unsigned other = cluster_rank() ^ 1;
  int at = BUG == 3 ? threadIdx.x / 2 : threadIdx.x;
  if (threadIdx.x == 0) {
    init(&full, 1);
    fence_init();
    expect(&full, BUG == 2 ? 260 : 256);
  }
  cluster_sync();
  if (BUG == 4)
    store_astray(&cell[at], threadIdx.x, &full, other);
  store_async(&cell[at], threadIdx.x, // expect 1,3: shared memory
              &full, other);
  if (BUG != 1)
    wait_in_cluster(&full, 0);               // expect 2: deadlock
  out[threadIdx.x] = cell[63 - threadIdx.x]; // expect 1: race
  if (BUG == 5 && threadIdx.x == 0) {
    fence_proxy();
    store(copied, cell, 256);
    commit_bulk();
    wait_bulk_read(0);
  }
  cluster_sync();
}
