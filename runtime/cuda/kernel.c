// What can be asked of a kernel without launching it: its needs, and how many
// blocks of it fit on a multiprocessor.

#include "runtime/cuda/cuda.h"

#include <string.h>

typedef struct FunctionAttributes {
  size_t shared, constant, local;
  int threads, registers, ptx, binary, cache, dynamic_shared, carveout;
} FunctionAttributes;

enum {
  SET_DYNAMIC_SHARED = 8,
  SET_CARVEOUT = 9,
  SET_LARGE_CLUSTERS = 14,
  SET_CLUSTER_POLICY = 15,
};

static CudaError get(FunctionAttributes *to, const void *handle) {
  CudaError error = cudaSuccess;
  const CudaKernel *kernel = cuda_ready_kernel(handle, &error);
  if (!kernel)
    return error;
  *to = (FunctionAttributes){.shared = kernel->made.code->shared_bytes,
                             .local = kernel->made.code->stack_bytes,
                             .threads = DEVICE_BLOCK_THREADS,
                             .registers = 32,
                             .ptx = (int)ledger_capability(),
                             .binary = (int)ledger_capability(),
                             .dynamic_shared = kernel->dynamic_shared,
                             .carveout = -1};
  return cudaSuccess;
}

CALL(cudaFuncGetAttributes, FunctionAttributes *to, const void *kernel) {
  ANSWER(get(to, kernel));
}

static CudaError set(const void *handle, int attribute, int value) {
  CudaKernel *kernel = cuda_kernel(handle);
  if (!kernel)
    return cudaErrorInvalidDeviceFunction;
  if (attribute == SET_CARVEOUT || attribute == SET_CLUSTER_POLICY)
    return cudaSuccess;
  if (attribute == SET_LARGE_CLUSTERS) {
    kernel->has_large_clusters = value;
    return cudaSuccess;
  }
  if (attribute != SET_DYNAMIC_SHARED || value < 0 ||
      value > DEVICE_SHARED_MOST)
    return cudaErrorInvalidValue;
  kernel->dynamic_shared = value;
  return cudaSuccess;
}

CALL(cudaFuncSetAttribute, const void *kernel, int attribute, int value) {
  ANSWER(set(kernel, attribute, value));
}

CALL(cudaFuncSetCacheConfig, const void *kernel, int config) {
  (void)config;
  ANSWER(cuda_kernel(kernel) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

CALL(cudaFuncSetSharedMemConfig, const void *kernel, int config) {
  (void)config;
  ANSWER(cuda_kernel(kernel) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

CALL(cudaFuncGetName, const char **name, const void *handle) {
  CudaError error = cuda_begin();
  const CudaKernel *kernel = cuda_kernel(handle);
  if (!error && !kernel)
    error = cudaErrorInvalidDeviceFunction;
  if (!error)
    *name = kernel->name;
  return cuda_end(error);
}

// ------------------------------------------------------------- occupancy ---

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Threads, blocks and shared memory are limited, registers are not.
static CudaError count(int *blocks, const void *handle, int threads,
                       size_t dynamic) {
  CudaError error = cudaSuccess;
  const CudaKernel *kernel = cuda_ready_kernel(handle, &error);
  if (!kernel)
    return error;
  if (threads <= 0)
    return cudaErrorInvalidValue;
  uint64_t warps = ((uint64_t)threads + LANES - 1) / LANES;
  uint64_t most = smaller(DEVICE_THREADS / LANES / warps, DEVICE_BLOCKS);
  uint64_t shared = kernel->made.code->shared_bytes + dynamic;
  if (shared)
    most = smaller(most, DEVICE_SHARED_MOST / shared);
  *blocks = threads > DEVICE_BLOCK_THREADS ? 0 : (int)most;
  return cudaSuccess;
}

CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks,
     const void *kernel, int threads, size_t dynamic) {
  ANSWER(count(blocks, kernel, threads, dynamic));
}

CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *blocks,
     const void *kernel, int threads, size_t dynamic, unsigned flags) {
  (void)flags;
  ANSWER(count(blocks, kernel, threads, dynamic));
}

CALL(cudaOccupancyAvailableDynamicSMemPerBlock, size_t *bytes,
     const void *handle, int blocks, int threads) {
  CudaError error = cuda_begin();
  const CudaKernel *kernel = error ? NULL : cuda_ready_kernel(handle, &error);
  (void)threads;
  if (kernel && blocks > 0)
    *bytes = DEVICE_SHARED_MOST / (size_t)blocks -
             smaller(kernel->made.code->shared_bytes,
                     DEVICE_SHARED_MOST / (size_t)blocks);
  return cuda_end(error);
}
