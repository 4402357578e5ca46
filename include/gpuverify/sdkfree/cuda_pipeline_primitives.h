// Asynchronous copies as C functions: the names of the SDK, in PTX.
//
//   memcpy_async(to, from, n, zeros)   cp.async of 4, 8 or 16 bytes, of which
//                                      the last `zeros` become zero
//   commit                             cp.async.commit_group
//   wait_prior(n)                      cp.async.wait_group n, for n up to 8
//   arrive_on(barrier)                 cp.async.mbarrier.arrive

#ifndef GPUVERIFY_CUDA_PIPELINE_PRIMITIVES_H
#define GPUVERIFY_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_awbarrier_primitives.h"

__GPUVERIFY_DEVICE_INLINE void __pipeline_memcpy_async(void *to,
                                                       const void *from,
                                                       size_t bytes,
                                                       size_t zeros = 0) {
  unsigned at = __gpuverify_shared(to), used = (unsigned)(bytes - zeros);
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at),
                 "l"(from), "r"(used)
                 : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at),
                 "l"(from), "r"(used)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at),
                 "l"(from), "r"(used)
                 : "memory");
}

__GPUVERIFY_DEVICE_INLINE void __pipeline_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

#define __GPUVERIFY_WAIT(n)                                                    \
  case n:                                                                      \
    asm volatile("cp.async.wait_group " #n ";" ::: "memory");                  \
    return
__GPUVERIFY_DEVICE_INLINE void __pipeline_wait_prior(size_t n) {
  switch (n) {
    __GPUVERIFY_WAIT(1);
    __GPUVERIFY_WAIT(2);
    __GPUVERIFY_WAIT(3);
    __GPUVERIFY_WAIT(4);
    __GPUVERIFY_WAIT(5);
    __GPUVERIFY_WAIT(6);
    __GPUVERIFY_WAIT(7);
    __GPUVERIFY_WAIT(8);
  default:
    asm volatile("cp.async.wait_group 0;" ::: "memory");
  }
}
#undef __GPUVERIFY_WAIT

__GPUVERIFY_DEVICE_INLINE void __pipeline_arrive_on(__mbarrier_t *barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(
                   __gpuverify_shared(barrier))
               : "memory");
}

#endif
