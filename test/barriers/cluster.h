// PTX's clusters for the kernels here.

#include "bulk.h"

__device__ __forceinline__ unsigned cluster_rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_wait() {
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}

__device__ __forceinline__ void fence_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// A pointer to the same variable of another block.
__device__ __forceinline__ void *map(const void *p, unsigned rank) {
  void *mapped;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(p), "r"(rank));
  return mapped;
}

__device__ __forceinline__ unsigned map_shared(const void *p, unsigned rank) {
  unsigned mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(mapped)
               : "r"(in_shared(p)), "r"(rank));
  return mapped;
}

__device__ __forceinline__ void arrive_at(const void *barrier, unsigned rank) {
  asm volatile(
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
      "[%0];" ::"r"(map_shared(barrier, rank))
      : "memory");
}

__device__ __forceinline__ void wait_in_cluster(unsigned long long *barrier,
                                                int parity) {
  asm volatile(
      "{ .reg .pred p;\n"
      "AGAIN: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, "
      "[%0], %1;\n"
      "@!p bra AGAIN; }" ::"r"(in_shared(barrier)),
      "r"(parity)
      : "memory");
}

__device__ __forceinline__ void store_async(const void *to, unsigned value,
                                            const void *barrier,
                                            unsigned rank) {
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 "
      "[%0], %1, [%2];" ::"r"(map_shared(to, rank)),
      "r"(value), "r"(map_shared(barrier, rank))
      : "memory");
}

// Into the same place of all blocks of the mask.
__device__ __forceinline__ void load_all(void *to, const void *from, int bytes,
                                         unsigned long long *barrier,
                                         unsigned short mask) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
      "bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(in_shared(to)),
      "l"(from), "r"(bytes), "r"(in_shared(barrier)), "h"(mask)
      : "memory");
}

// From here to another block.
__device__ __forceinline__ void send(const void *to, const void *from,
                                     int bytes, const void *barrier,
                                     unsigned rank) {
  asm volatile(
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::"
      "complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(map_shared(to, rank)),
      "r"(in_shared(from)), "r"(bytes), "r"(map_shared(barrier, rank))
      : "memory");
}
