// Barriers and fences.
//
//   __syncthreads()            llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
//   __syncthreads_count, _and, _or
//                              llvm.nvvm.barrier.cta.red.popc/and/or.aligned
//                              .all(i32 0, i1 e); _and and _or return i1
//   __barrier_sync(id), _count llvm.nvvm.barrier.cta.sync.all, .sync.count
//   __syncwarp(mask)           llvm.nvvm.bar.warp.sync(i32 mask)
//   __threadfence_block(), (), _system()
//                              llvm.nvvm.membar.cta, .gl, .sys
//   grid.sync() of sdkfree/cooperative_groups.h
//                              __gpuverify_grid_sync, of the whole grid
//
// __syncthreads is a builtin of clang.

#ifndef GPUVERIFY_CUDA_SYNC_H
#define GPUVERIFY_CUDA_SYNC_H

#include "words.h"

extern "C" __device__ void __gpuverify_grid_sync(void)
    __attribute__((convergent));

__GPUVERIFY_DEVICE_INLINE int __syncthreads_count(int e) {
  return __nvvm_bar0_popc(e);
}
__GPUVERIFY_DEVICE_INLINE int __syncthreads_and(int e) {
  return __nvvm_bar0_and(e);
}
__GPUVERIFY_DEVICE_INLINE int __syncthreads_or(int e) {
  return __nvvm_bar0_or(e);
}
__GPUVERIFY_DEVICE_INLINE void __syncwarp(unsigned mask = 0xffffffffu) {
  __nvvm_bar_warp_sync(mask);
}
__GPUVERIFY_DEVICE_INLINE void __barrier_sync(unsigned id) {
  __nvvm_barrier_sync(id);
}
__GPUVERIFY_DEVICE_INLINE void __barrier_sync_count(unsigned id,
                                                    unsigned count) {
  __nvvm_barrier_sync_cnt(id, count);
}

__GPUVERIFY_DEVICE_INLINE void __threadfence_block() { __nvvm_membar_cta(); }
__GPUVERIFY_DEVICE_INLINE void __threadfence() { __nvvm_membar_gl(); }
__GPUVERIFY_DEVICE_INLINE void __threadfence_system() { __nvvm_membar_sys(); }

#endif
