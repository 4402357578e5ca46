// mbarriers as C functions: the names of the SDK, in PTX.
//
//   init, inval              mbarrier.init, mbarrier.inval
//   arrive, arrive_and_drop  mbarrier.arrive, mbarrier.arrive_drop; they return
//                            the token that a wait for this phase takes
//   test_wait, try_wait      mbarrier.test_wait, mbarrier.try_wait; true once
//                            the phase of the token, or of the parity, is over

#ifndef GPUVERIFY_CUDA_AWBARRIER_PRIMITIVES_H
#define GPUVERIFY_CUDA_AWBARRIER_PRIMITIVES_H

#include "../cuda.h"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

__GPUVERIFY_DEVICE_INLINE unsigned __gpuverify_shared(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

__GPUVERIFY_DEVICE_INLINE unsigned __mbarrier_maximum_count() {
  return (1u << 20) - 1;
}

__GPUVERIFY_DEVICE_INLINE void __mbarrier_init(__mbarrier_t *barrier,
                                               unsigned count) {
  asm volatile(
      "mbarrier.init.shared.b64 [%0], %1;" ::"r"(__gpuverify_shared(barrier)),
      "r"(count)
      : "memory");
}
__GPUVERIFY_DEVICE_INLINE void __mbarrier_inval(__mbarrier_t *barrier) {
  asm volatile(
      "mbarrier.inval.shared.b64 [%0];" ::"r"(__gpuverify_shared(barrier))
      : "memory");
}

__GPUVERIFY_DEVICE_INLINE __mbarrier_token_t
__mbarrier_arrive(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(__gpuverify_shared(barrier))
               : "memory");
  return token;
}
__GPUVERIFY_DEVICE_INLINE __mbarrier_token_t
__mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(__gpuverify_shared(barrier))
               : "memory");
  return token;
}

__GPUVERIFY_DEVICE_INLINE bool __mbarrier_test_wait(__mbarrier_t *barrier,
                                                    __mbarrier_token_t token) {
  int is_over;
  asm volatile(
      "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; "
      "selp.b32 %0, 1, 0, p; }"
      : "=r"(is_over)
      : "r"(__gpuverify_shared(barrier)), "l"(token)
      : "memory");
  return is_over;
}
__GPUVERIFY_DEVICE_INLINE bool
__mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity) {
  int is_over;
  asm volatile(
      "{ .reg .pred p; "
      "mbarrier.test_wait.parity.shared.b64 p, [%1], %2; "
      "selp.b32 %0, 1, 0, p; }"
      : "=r"(is_over)
      : "r"(__gpuverify_shared(barrier)), "r"((int)parity)
      : "memory");
  return is_over;
}
__GPUVERIFY_DEVICE_INLINE bool __mbarrier_try_wait(__mbarrier_t *barrier,
                                                   __mbarrier_token_t token,
                                                   unsigned nanoseconds) {
  int is_over;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2, %3; "
      "selp.b32 %0, 1, 0, p; }"
      : "=r"(is_over)
      : "r"(__gpuverify_shared(barrier)), "l"(token), "r"(nanoseconds)
      : "memory");
  return is_over;
}
__GPUVERIFY_DEVICE_INLINE bool
__mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity,
                           unsigned nanoseconds) {
  int is_over;
  asm volatile(
      "{ .reg .pred p; "
      "mbarrier.try_wait.parity.shared.b64 p, [%1], %2, %3; "
      "selp.b32 %0, 1, 0, p; }"
      : "=r"(is_over)
      : "r"(__gpuverify_shared(barrier)), "r"((int)parity), "r"(nanoseconds)
      : "memory");
  return is_over;
}

#endif
