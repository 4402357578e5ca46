// Device functions that are neither mathematics nor about other threads.

#ifndef GPUVERIFY_CUDA_DEVICE_H
#define GPUVERIFY_CUDA_DEVICE_H

#include <__clang_cuda_builtin_vars.h>

#include "libc.h"
#include "vector.h"

// threadIdx and its like are values of these types.
#define __GPUVERIFY_CONVERT(variable)                                          \
  __device__ inline __cuda_builtin_##variable##_t::operator dim3() const {     \
    return dim3(x, y, z);                                                      \
  }                                                                            \
  __device__ inline __cuda_builtin_##variable##_t::operator uint3() const {    \
    return uint3{x, y, z};                                                     \
  }
__GPUVERIFY_CONVERT(threadIdx)
__GPUVERIFY_CONVERT(blockIdx)
__GPUVERIFY_CONVERT(blockDim)
__GPUVERIFY_CONVERT(gridDim)

// Loads and stores that differ only in what the cache does with them.
#define __GPUVERIFY_LOAD(name)                                                 \
  template <class T> __GPUVERIFY_DEVICE_INLINE T name(const T *p) { return *p; }
__GPUVERIFY_LOAD(__ldg)
__GPUVERIFY_LOAD(__ldca)
__GPUVERIFY_LOAD(__ldcg)
__GPUVERIFY_LOAD(__ldcs)
__GPUVERIFY_LOAD(__ldlu)
__GPUVERIFY_LOAD(__ldcv)
#define __GPUVERIFY_STORE(name)                                                \
  template <class T> __GPUVERIFY_DEVICE_INLINE void name(T *p, T value) {      \
    *p = value;                                                                \
  }
__GPUVERIFY_STORE(__stwb)
__GPUVERIFY_STORE(__stcg)
__GPUVERIFY_STORE(__stcs)
__GPUVERIFY_STORE(__stwt)

__GPUVERIFY_DEVICE_INLINE void __nanosleep(unsigned) {}
__GPUVERIFY_DEVICE_INLINE __attribute__((noreturn)) void __trap() {
  __builtin_trap();
}
__GPUVERIFY_DEVICE_INLINE void __brkpt() { __asm__ volatile("brkpt;"); }
__GPUVERIFY_DEVICE_INLINE unsigned __isGlobal(const void *p) {
  return __nvvm_isspacep_global(p);
}
__GPUVERIFY_DEVICE_INLINE unsigned __isShared(const void *p) {
  return __nvvm_isspacep_shared(p);
}
__GPUVERIFY_DEVICE_INLINE unsigned __isConstant(const void *p) {
  return __nvvm_isspacep_const(p);
}
__GPUVERIFY_DEVICE_INLINE unsigned __isLocal(const void *p) {
  return __nvvm_isspacep_local(p);
}
__GPUVERIFY_DEVICE_INLINE size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(__attribute__((address_space(3))) const void *)p;
}
__GPUVERIFY_DEVICE_INLINE size_t __cvta_generic_to_global(const void *p) {
  return (size_t)(__attribute__((address_space(1))) const void *)p;
}

#endif
