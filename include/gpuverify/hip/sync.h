// Barriers and fences.
//
//   __syncthreads()        fence syncscope("workgroup") release
//                          llvm.amdgcn.s.barrier
//                          fence syncscope("workgroup") acquire
//   __syncthreads_count, _and, _or
//                          __ockl_wgred_{add,and,or}_i32, which order no memory
//   __threadfence_block(), (), _system()
//                          fence syncscope("workgroup"), ("agent"), of all

#ifndef GPUVERIFY_HIP_SYNC_H
#define GPUVERIFY_HIP_SYNC_H

#include "../cuda/words.h"

extern "C" {
__device__ int __ockl_wgred_add_i32(int) __attribute__((convergent));
__device__ int __ockl_wgred_and_i32(int) __attribute__((convergent));
__device__ int __ockl_wgred_or_i32(int) __attribute__((convergent));
}

__GPUVERIFY_DEVICE_INLINE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__GPUVERIFY_DEVICE_INLINE int __syncthreads_count(int e) {
  return __ockl_wgred_add_i32(!!e);
}
__GPUVERIFY_DEVICE_INLINE int __syncthreads_and(int e) {
  return __ockl_wgred_and_i32(!!e);
}
__GPUVERIFY_DEVICE_INLINE int __syncthreads_or(int e) {
  return __ockl_wgred_or_i32(!!e);
}
// The lanes are not taken to be in step, so what it does is not modelled.
__GPUVERIFY_DEVICE_INLINE void __syncwarp(unsigned long long = ~0ull) {
  __builtin_amdgcn_wave_barrier();
}

__GPUVERIFY_DEVICE_INLINE void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
__GPUVERIFY_DEVICE_INLINE void __threadfence() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
__GPUVERIFY_DEVICE_INLINE void __threadfence_system() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

#endif
