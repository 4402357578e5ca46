// PTX's bulk copies and what they need, for the kernels here.

#include "mbarrier.h"

__device__ __forceinline__ void expect(unsigned long long *barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(
                   in_shared(barrier)),
               "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void load(void *to, const void *from, int bytes,
                                     unsigned long long *barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(in_shared(to)),
               "l"(from), "r"(bytes), "r"(in_shared(barrier))
               : "memory");
}

__device__ __forceinline__ void store(void *to, const void *from, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
               "%2;" ::"l"(to),
               "r"(in_shared(from)), "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void commit_bulk() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

__device__ __forceinline__ void fence_proxy() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// The copies of all bulk groups but the last n have read what they read.
#define wait_bulk_read(n)                                                      \
  asm volatile("cp.async.bulk.wait_group.read " #n ";" ::: "memory")
