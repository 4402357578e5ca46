// The words that CUDA adds to C++.

#ifndef GPUVERIFY_CUDA_WORDS_H
#define GPUVERIFY_CUDA_WORDS_H

#include "managed.h"

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#ifdef __HIP__ // for AMD's devices clang leaves the other one aside
#define __launch_bounds__(threads, ...)                                        \
  __attribute__((amdgpu_flat_work_group_size(1, threads)))
#else
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#endif
#define __maxnreg__(n)
// clang takes it where there are clusters.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#else
#define __cluster_dims__(...)
#endif
#define __block_size__(...)
#define __grid_constant__ __attribute__((grid_constant))
#ifndef __HIP__ // where programs write __attribute__((__noinline__))
#define __noinline__ __attribute__((noinline))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__ __thread
#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_texture_type__                                        \
  __attribute__((device_builtin_texture_type))
#define __device_builtin_surface_type__                                        \
  __attribute__((device_builtin_surface_type))
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

// For the parts of this folder: defined here, called on the device.
#define __GPUVERIFY_DEVICE_INLINE                                              \
  static inline __attribute__((device, always_inline))
#define __GPUVERIFY_BOTH_INLINE                                                \
  static inline __attribute__((host, device, always_inline))

// The type RESULT, if CONDITION holds; else the template does not fit.
template <bool> struct __gpuverify_if;
template <> struct __gpuverify_if<true> {
  template <class T> using type = T;
};
#define __GPUVERIFY_IF(condition, result)                                      \
  typename __gpuverify_if<condition>::template type<result>

#endif
