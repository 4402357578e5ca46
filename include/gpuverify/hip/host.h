// HIP's runtime: what cuda/host.h declares, by its names in HIP.

#ifndef GPUVERIFY_HIP_HOST_H
#define GPUVERIFY_HIP_HOST_H

#include "../cuda/host.h"

#define hipError_t cudaError_t
#define hipStream_t cudaStream_t
#define hipEvent_t cudaEvent_t
#define hipDeviceProp cudaDeviceProp
#define hipMemcpyKind cudaMemcpyKind
#define hipSuccess cudaSuccess
#define hipErrorInvalidValue cudaErrorInvalidValue
#define hipErrorNotReady cudaErrorNotReady
#define hipErrorNoDevice cudaErrorNoDevice
#define hipErrorMemoryAllocation cudaErrorMemoryAllocation
#define hipErrorInvalidDevice cudaErrorInvalidDevice
#define hipErrorLaunchFailure cudaErrorLaunchFailure
#define hipMalloc cudaMalloc
#define hipMallocHost cudaMallocHost
#define hipMallocManaged cudaMallocManaged
#define hipMallocPitch cudaMallocPitch
#define hipMallocAsync cudaMallocAsync
#define hipMalloc3D cudaMalloc3D
#define hipHostAlloc cudaHostAlloc
#define hipHostAllocDefault cudaHostAllocDefault
#define hipHostAllocMapped cudaHostAllocMapped
#define hipHostAllocPortable cudaHostAllocPortable
#define hipHostAllocWriteCombined cudaHostAllocWriteCombined
#define hipHostRegister cudaHostRegister
#define hipHostRegisterMapped cudaHostRegisterMapped
#define hipHostRegisterDefault cudaHostRegisterDefault
#define hipHostUnregister cudaHostUnregister
#define hipHostGetDevicePointer cudaHostGetDevicePointer
#define hipFree cudaFree
#define hipFreeHost cudaFreeHost
#define hipFreeAsync cudaFreeAsync
#define hipMemcpy cudaMemcpy
#define hipMemcpyAsync cudaMemcpyAsync
#define hipMemcpy2D cudaMemcpy2D
#define hipMemcpy2DAsync cudaMemcpy2DAsync
#define hipMemcpyToSymbol cudaMemcpyToSymbol
#define hipMemcpyToSymbolAsync cudaMemcpyToSymbolAsync
#define hipMemcpyFromSymbol cudaMemcpyFromSymbol
#define hipGetSymbolAddress cudaGetSymbolAddress
#define hipGetSymbolSize cudaGetSymbolSize
#define hipMemset cudaMemset
#define hipMemsetAsync cudaMemsetAsync
#define hipMemGetInfo cudaMemGetInfo
#define hipMemPrefetchAsync cudaMemPrefetchAsync
#define hipMemAdvise cudaMemAdvise
#define hipMemcpyHostToHost cudaMemcpyHostToHost
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipMemcpyDeviceToDevice cudaMemcpyDeviceToDevice
#define hipMemcpyDefault cudaMemcpyDefault
#define hipMemAttachGlobal cudaMemAttachGlobal
#define hipMemAttachHost cudaMemAttachHost
#define hipMemAdviseSetReadMostly cudaMemAdviseSetReadMostly
#define hipCpuDeviceId cudaCpuDeviceId
#define hipDeviceSynchronize cudaDeviceSynchronize
#define hipDeviceReset cudaDeviceReset
#define hipSetDevice cudaSetDevice
#define hipGetDevice cudaGetDevice
#define hipGetDeviceCount cudaGetDeviceCount
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipDeviceGetAttribute cudaDeviceGetAttribute
#define hipDeviceSetLimit cudaDeviceSetLimit
#define hipDeviceGetLimit cudaDeviceGetLimit
#define hipDeviceSetCacheConfig cudaDeviceSetCacheConfig
#define hipDeviceCanAccessPeer cudaDeviceCanAccessPeer
#define hipDeviceEnablePeerAccess cudaDeviceEnablePeerAccess
#define hipDeviceDisablePeerAccess cudaDeviceDisablePeerAccess
#define hipDeviceSetSharedMemConfig cudaDeviceSetSharedMemConfig
#define hipSetDeviceFlags cudaSetDeviceFlags
#define hipDriverGetVersion cudaDriverGetVersion
#define hipRuntimeGetVersion cudaRuntimeGetVersion
#define hipLimitStackSize cudaLimitStackSize
#define hipLimitPrintfFifoSize cudaLimitPrintfFifoSize
#define hipLimitMallocHeapSize cudaLimitMallocHeapSize
#define hipGetLastError cudaGetLastError
#define hipPeekAtLastError cudaPeekAtLastError
#define hipGetErrorString cudaGetErrorString
#define hipGetErrorName cudaGetErrorName
#define hipStreamCreate cudaStreamCreate
#define hipStreamCreateWithFlags cudaStreamCreateWithFlags
#define hipStreamCreateWithPriority cudaStreamCreateWithPriority
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamSynchronize cudaStreamSynchronize
#define hipStreamWaitEvent cudaStreamWaitEvent
#define hipStreamQuery cudaStreamQuery
#define hipStreamNonBlocking cudaStreamNonBlocking
#define hipStreamDefault cudaStreamDefault
#define hipEventCreate cudaEventCreate
#define hipEventCreateWithFlags cudaEventCreateWithFlags
#define hipEventDestroy cudaEventDestroy
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipEventElapsedTime cudaEventElapsedTime
#define hipEventQuery cudaEventQuery
#define hipEventDisableTiming cudaEventDisableTiming
#define hipEventDefault cudaEventDefault
#define hipEventBlockingSync cudaEventBlockingSync
#define hipLaunchKernel cudaLaunchKernel
#define hipLaunchCooperativeKernel cudaLaunchCooperativeKernel
#define hipFuncSetAttribute cudaFuncSetAttribute
#define hipFuncSetCacheConfig cudaFuncSetCacheConfig
#define hipFuncGetAttributes cudaFuncGetAttributes
#define hipFuncAttributes cudaFuncAttributes
#define hipFuncAttributeMaxDynamicSharedMemorySize                             \
  cudaFuncAttributeMaxDynamicSharedMemorySize
#define hipFuncAttributePreferredSharedMemoryCarveout                          \
  cudaFuncAttributePreferredSharedMemoryCarveout
#define hipFuncCachePreferNone cudaFuncCachePreferNone
#define hipFuncCachePreferShared cudaFuncCachePreferShared
#define hipFuncCachePreferL1 cudaFuncCachePreferL1
#define hipFuncCachePreferEqual cudaFuncCachePreferEqual
#define hipSharedMemBankSizeDefault cudaSharedMemBankSizeDefault
#define hipSharedMemBankSizeFourByte cudaSharedMemBankSizeFourByte
#define hipSharedMemBankSizeEightByte cudaSharedMemBankSizeEightByte
#define hipOccupancyMaxActiveBlocksPerMultiprocessor                           \
  cudaOccupancyMaxActiveBlocksPerMultiprocessor
#define hipOccupancyMaxPotentialBlockSize cudaOccupancyMaxPotentialBlockSize
#define hipPointerGetAttributes cudaPointerGetAttributes
#define hipPointerAttributes cudaPointerAttributes
#define hipExtent cudaExtent
#define hipPos cudaPos
#define hipPitchedPtr cudaPitchedPtr
#define hipError cudaError
#define hipDeviceProp_t cudaDeviceProp
#define hipHostMalloc hipHostMallocOf
#define hipHostMallocDefault cudaHostAllocDefault
#define hipHostMallocMapped cudaHostAllocMapped
#define hipHostMallocPortable cudaHostAllocPortable
#define hipHostMallocNonCoherent 0
#define hipHostFree cudaFreeHost
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipErrorUnknown cudaErrorUnknown
#define hipDeviceAttribute_t cudaDeviceAttr
#define hipDeviceAttributeWarpSize cudaDevAttrWarpSize
#define hipDeviceAttributeMultiprocessorCount cudaDevAttrMultiProcessorCount
#define hipDeviceAttributeMaxThreadsPerBlock cudaDevAttrMaxThreadsPerBlock
#define hipDeviceAttributeMaxThreadsPerMultiProcessor                          \
  cudaDevAttrMaxThreadsPerMultiProcessor
#define hipDeviceAttributeMaxSharedMemoryPerBlock                              \
  cudaDevAttrMaxSharedMemoryPerBlock
#define hipDeviceAttributeClockRate cudaDevAttrClockRate
#define HIP_SYMBOL(variable) variable

// The flags may be left out.
template <class T>
static inline cudaError_t hipHostMallocOf(T **p, size_t size,
                                          unsigned flags = 0) {
  return cudaHostAlloc((void **)p, size, flags);
}

// What clang makes of kernel<<<grid, block, shared, stream>>>(..).
extern "C" unsigned __hipPushCallConfiguration(dim3 grid, dim3 block,
                                               size_t shared = 0,
                                               cudaStream_t stream = 0);

#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)           \
  kernel<<<dim3(grid), dim3(block), shared, stream>>>(__VA_ARGS__)

#endif
