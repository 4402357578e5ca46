// What nvcc takes and clang with the CUDA SDK does not.
//
//   clang++ -x cuda -isystem <sdk>/include/cccl -fgpu-rdc
//           -include gpuverify/prelude.h ...
//
// Included after clang's own wrapper of the SDK and before the program:
//
//   min and max on the host, and of operands of two types; isnan and its like;
//   assert in a program that includes nothing; __managed__; what nvcc says of
//   extended lambdas;
//   clusters of cooperative groups, which ask for nvcc;
//   the names by which programs ask for nvcc, __NVCC__ and
//   __CUDACC_VER_MAJOR__, after those of the SDK's headers that must know which
//   compiler it is; nvcc's atomic builtins __nv_atomic_*, in the scopes of the
//   device and the system; clang would forget a smaller scope, so that one
//   stays undeclared.
//
// -fgpu-rdc is for kernels that launch kernels, and the include path is where
// the SDK keeps <cuda/..> and <thrust/..> since version 13.  What a header
// cannot mend: a __shared__ variable of a class with a destructor, such as
// cuda::barrier, and inline assembly with a single % before a register.

#ifndef GPUVERIFY_PRELUDE_H
#define GPUVERIFY_PRELUDE_H

#if defined(__clang__) && defined(__CUDA__)

#pragma clang system_header

#ifdef __has_include
#if __has_include(<assert.h>)
#include <assert.h>
#endif
#endif

#include "cuda/classify.h"
#include "cuda/lambdas.h"
#include "cuda/managed.h"
#include "cuda/minmax.h"

// Clang has what cooperative groups need for clusters, and they do not know.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define _CG_CLUSTER_INTRINSICS_AVAILABLE
#endif

#ifndef __NVCC__
#ifdef __has_include
#if __has_include(<nv/target>)
#include <nv/target>
#endif
#if __has_include(<cuda/std/__cccl/compiler.h>)
#include <cuda/std/__cccl/compiler.h>
#endif
#endif
#define __NVCC__ 1
#undef __CUDACC__ // clang's is empty
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

#ifndef __NV_ATOMIC_RELAXED
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM
// The scope may be left out: then it is the system.
#define __GPUVERIFY_FIRST(first, ...) first
#define __GPUVERIFY_SCOPE(...)                                                 \
  __GPUVERIFY_FIRST(__VA_ARGS__ __VA_OPT__(, ) __MEMORY_SCOPE_SYSTEM, 0)
#define __nv_atomic_load_n(p, order, ...)                                      \
  __scoped_atomic_load_n(p, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_load(p, to, order, ...)                                    \
  __scoped_atomic_load(p, to, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_store_n(p, value, order, ...)                              \
  __scoped_atomic_store_n(p, value, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_store(p, value, order, ...)                                \
  __scoped_atomic_store(p, value, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_exchange_n(p, value, order, ...)                           \
  __scoped_atomic_exchange_n(p, value, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_exchange(p, value, to, order, ...)                         \
  __scoped_atomic_exchange(p, value, to, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_compare_exchange_n(p, expected, value, weak, order,        \
                                       failed, ...)                            \
  __scoped_atomic_compare_exchange_n(p, expected, value, weak, order, failed,  \
                                     __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_compare_exchange(p, expected, value, weak, order, failed,  \
                                     ...)                                      \
  __scoped_atomic_compare_exchange(p, expected, value, weak, order, failed,    \
                                   __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_add(p, value, order, ...)                            \
  __scoped_atomic_fetch_add(p, value, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_sub(p, value, order, ...)                            \
  __scoped_atomic_fetch_sub(p, value, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_and(p, value, order, ...)                            \
  __scoped_atomic_fetch_and(p, value, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_or(p, value, order, ...)                             \
  __scoped_atomic_fetch_or(p, value, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_xor(p, value, order, ...)                            \
  __scoped_atomic_fetch_xor(p, value, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_min(p, value, order, ...)                            \
  __scoped_atomic_fetch_min(p, value, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_max(p, value, order, ...)                            \
  __scoped_atomic_fetch_max(p, value, order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#define __nv_atomic_thread_fence(order, ...)                                   \
  __scoped_atomic_thread_fence(order, __GPUVERIFY_SCOPE(__VA_ARGS__))
#endif

#endif

#endif
