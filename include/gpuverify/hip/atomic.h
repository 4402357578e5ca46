// Atomics, in three scopes: atomicrmw and cmpxchg, monotonic, with syncscope
// "agent", "workgroup" or none.  No atomic orders any other access.

#ifndef GPUVERIFY_HIP_ATOMIC_H
#define GPUVERIFY_HIP_ATOMIC_H

#include "../cuda/words.h"

#define __GPUVERIFY_HIP_OPERATION(name, type, operation, scope)                \
  __GPUVERIFY_DEVICE_INLINE type name(type *p, type value) {                   \
    return __hip_atomic_##operation(p, value, __ATOMIC_RELAXED,                \
                                    __HIP_MEMORY_SCOPE_##scope);               \
  }
#define __GPUVERIFY_HIP_ATOMIC(name, type, operation)                          \
  __GPUVERIFY_HIP_OPERATION(name, type, operation, AGENT)                      \
  __GPUVERIFY_HIP_OPERATION(name##_block, type, operation, WORKGROUP)          \
  __GPUVERIFY_HIP_OPERATION(name##_system, type, operation, SYSTEM)
#define __GPUVERIFY_HIP_INTEGERS(name, operation)                              \
  __GPUVERIFY_HIP_ATOMIC(name, int, operation)                                 \
  __GPUVERIFY_HIP_ATOMIC(name, unsigned, operation)                            \
  __GPUVERIFY_HIP_ATOMIC(name, long, operation)                                \
  __GPUVERIFY_HIP_ATOMIC(name, unsigned long, operation)                       \
  __GPUVERIFY_HIP_ATOMIC(name, long long, operation)                           \
  __GPUVERIFY_HIP_ATOMIC(name, unsigned long long, operation)
#define __GPUVERIFY_HIP_NUMBERS(name, operation)                               \
  __GPUVERIFY_HIP_INTEGERS(name, operation)                                    \
  __GPUVERIFY_HIP_ATOMIC(name, float, operation)                               \
  __GPUVERIFY_HIP_ATOMIC(name, double, operation)

__GPUVERIFY_HIP_NUMBERS(atomicAdd, fetch_add)
__GPUVERIFY_HIP_NUMBERS(atomicMin, fetch_min)
__GPUVERIFY_HIP_NUMBERS(atomicMax, fetch_max)
__GPUVERIFY_HIP_NUMBERS(atomicExch, exchange)
__GPUVERIFY_HIP_INTEGERS(atomicAnd, fetch_and)
__GPUVERIFY_HIP_INTEGERS(atomicOr, fetch_or)
__GPUVERIFY_HIP_INTEGERS(atomicXor, fetch_xor)
__GPUVERIFY_HIP_OPERATION(unsafeAtomicAdd, float, fetch_add, AGENT)
__GPUVERIFY_HIP_OPERATION(unsafeAtomicAdd, double, fetch_add, AGENT)

// Subtraction adds the negative.
#define __GPUVERIFY_HIP_SUB(type)                                              \
  __GPUVERIFY_DEVICE_INLINE type atomicSub(type *p, type value) {              \
    return atomicAdd(p, (type) - value);                                       \
  }
__GPUVERIFY_HIP_SUB(int)
__GPUVERIFY_HIP_SUB(unsigned)
__GPUVERIFY_HIP_SUB(unsigned long)
__GPUVERIFY_HIP_SUB(unsigned long long)
__GPUVERIFY_HIP_SUB(float)
__GPUVERIFY_HIP_SUB(double)

#define __GPUVERIFY_HIP_CAS(name, type, scope)                                 \
  __GPUVERIFY_DEVICE_INLINE type name(type *p, type old, type value) {         \
    __hip_atomic_compare_exchange_strong(p, &old, value, __ATOMIC_RELAXED,     \
                                         __ATOMIC_RELAXED,                     \
                                         __HIP_MEMORY_SCOPE_##scope);          \
    return old;                                                                \
  }
#define __GPUVERIFY_HIP_ALL_CAS(type)                                          \
  __GPUVERIFY_HIP_CAS(atomicCAS, type, AGENT)                                  \
  __GPUVERIFY_HIP_CAS(atomicCAS_block, type, WORKGROUP)                        \
  __GPUVERIFY_HIP_CAS(atomicCAS_system, type, SYSTEM)
__GPUVERIFY_HIP_ALL_CAS(int)
__GPUVERIFY_HIP_ALL_CAS(unsigned)
__GPUVERIFY_HIP_ALL_CAS(unsigned long)
__GPUVERIFY_HIP_ALL_CAS(unsigned long long)

// atomicrmw uinc_wrap and udec_wrap.
#ifdef __HIP_DEVICE_COMPILE__
__GPUVERIFY_DEVICE_INLINE unsigned atomicInc(unsigned *p, unsigned limit) {
  return __builtin_amdgcn_atomic_inc32(p, limit, __ATOMIC_RELAXED, "agent");
}
__GPUVERIFY_DEVICE_INLINE unsigned atomicDec(unsigned *p, unsigned limit) {
  return __builtin_amdgcn_atomic_dec32(p, limit, __ATOMIC_RELAXED, "agent");
}
#else
__device__ unsigned atomicInc(unsigned *, unsigned);
__device__ unsigned atomicDec(unsigned *, unsigned);
#endif

#endif
