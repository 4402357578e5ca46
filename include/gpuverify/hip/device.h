// Who a thread is, and device functions that are about no other thread.

#ifndef GPUVERIFY_HIP_DEVICE_H
#define GPUVERIFY_HIP_DEVICE_H

#include "../cuda/vector.h"

// blockDim and gridDim are what the launch writes behind the arguments.
#define __GPUVERIFY_HIP_BLOCKS(axis)                                           \
  (((const __attribute__((                                                     \
      address_space(4))) unsigned *)__builtin_amdgcn_implicitarg_ptr())[axis])
#define __GPUVERIFY_HIP_AXIS(axis, value)                                      \
  __declspec(property(get = __get_##axis)) unsigned axis;                      \
  static __device__ inline __attribute__((always_inline)) unsigned             \
  __get_##axis() {                                                             \
    return value;                                                              \
  }
#define __GPUVERIFY_HIP_VARIABLE(name, of_x, of_y, of_z)                       \
  struct __gpuverify_##name {                                                  \
    __GPUVERIFY_HIP_AXIS(x, of_x)                                              \
    __GPUVERIFY_HIP_AXIS(y, of_y)                                              \
    __GPUVERIFY_HIP_AXIS(z, of_z)                                              \
    __device__ inline operator dim3() const { return dim3(of_x, of_y, of_z); } \
    __device__ inline operator uint3() const {                                 \
      return uint3{of_x, of_y, of_z};                                          \
    }                                                                          \
  };                                                                           \
  extern const __device__ __attribute__((weak)) __gpuverify_##name name;
#ifdef __HIP_DEVICE_COMPILE__
__GPUVERIFY_HIP_VARIABLE(threadIdx, __builtin_amdgcn_workitem_id_x(),
                         __builtin_amdgcn_workitem_id_y(),
                         __builtin_amdgcn_workitem_id_z())
__GPUVERIFY_HIP_VARIABLE(blockIdx, __builtin_amdgcn_workgroup_id_x(),
                         __builtin_amdgcn_workgroup_id_y(),
                         __builtin_amdgcn_workgroup_id_z())
__GPUVERIFY_HIP_VARIABLE(blockDim, __builtin_amdgcn_workgroup_size_x(),
                         __builtin_amdgcn_workgroup_size_y(),
                         __builtin_amdgcn_workgroup_size_z())
__GPUVERIFY_HIP_VARIABLE(gridDim, __GPUVERIFY_HIP_BLOCKS(0),
                         __GPUVERIFY_HIP_BLOCKS(1), __GPUVERIFY_HIP_BLOCKS(2))
#else
__GPUVERIFY_HIP_VARIABLE(threadIdx, 0, 0, 0)
__GPUVERIFY_HIP_VARIABLE(blockIdx, 0, 0, 0)
__GPUVERIFY_HIP_VARIABLE(blockDim, 0, 0, 0)
__GPUVERIFY_HIP_VARIABLE(gridDim, 0, 0, 0)
#endif

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
#define HIP_KERNEL_NAME(...) __VA_ARGS__

// Loads and stores that differ only in what the cache does with them.
template <class T> __GPUVERIFY_DEVICE_INLINE T __ldg(const T *p) { return *p; }

__GPUVERIFY_DEVICE_INLINE long long wall_clock64() {
  return (long long)__builtin_readsteadycounter();
}
__GPUVERIFY_DEVICE_INLINE __attribute__((noreturn)) void __trap() {
  __builtin_trap();
}

#endif
