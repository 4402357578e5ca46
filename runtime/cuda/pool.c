// Memory pools: names for one and the same memory.  What a program sets as an
// attribute of a pool it gets back; only how much is in use is known.

#include "runtime/cuda/cuda.h"

#include <stdlib.h>

enum {
  POOL_ATTRIBUTES = 9,
  POOL_RESERVED = 5, // from here on, how much is in use
};

struct CudaPool {
  uint64_t attributes[POOL_ATTRIBUTES];
};

static CudaPool default_pool;

static CudaError give(CudaPool **pool, int device) {
  if (device)
    return cudaErrorInvalidDevice;
  *pool = &default_pool;
  return cudaSuccess;
}

CALL(cudaDeviceGetDefaultMemPool, CudaPool **pool, int device) {
  ANSWER(give(pool, device));
}

CALL(cudaDeviceGetMemPool, CudaPool **pool, int device) {
  ANSWER(give(pool, device));
}

CALL(cudaDeviceSetMemPool, int device, CudaPool *pool) {
  ANSWER(device || !pool ? cudaErrorInvalidValue : cudaSuccess);
}

CALL(cudaMemPoolCreate, CudaPool **pool, const void *properties) {
  CudaError error = cuda_begin();
  (void)properties;
  CudaPool *made = error ? NULL : calloc(1, sizeof *made);
  if (!error && !made)
    error = cudaErrorMemoryAllocation;
  if (made)
    *pool = made;
  return cuda_end(error);
}

CALL(cudaMemPoolDestroy, CudaPool *pool) {
  CudaError error = cuda_begin();
  if (pool == &default_pool || !pool)
    error = cudaErrorInvalidValue;
  else
    free(pool);
  return cuda_end(error);
}

// The first three are of type int.
static CudaError access_attribute(CudaPool *pool, int number, void *value,
                                  bool sets) {
  enum { LAST_INT = 3 };
  if (!pool || number < 1 || number >= POOL_ATTRIBUTES)
    return cudaErrorInvalidValue;
  uint64_t *at = &pool->attributes[number];
  if (number >= POOL_RESERVED && !sets)
    *at = memory_used();
  if (number <= LAST_INT && sets)
    *at = (uint64_t)*(int *)value;
  else if (sets)
    *at = *(uint64_t *)value;
  else if (number <= LAST_INT)
    *(int *)value = (int)*at;
  else
    *(uint64_t *)value = *at;
  return cudaSuccess;
}

CALL(cudaMemPoolSetAttribute, CudaPool *pool, int number, void *value) {
  ANSWER(access_attribute(pool, number, value, true));
}

CALL(cudaMemPoolGetAttribute, CudaPool *pool, int number, void *value) {
  ANSWER(access_attribute(pool, number, value, false));
}

CALL(cudaMemPoolTrimTo, CudaPool *pool, size_t bytes) {
  (void)bytes;
  ANSWER(pool ? cudaSuccess : cudaErrorInvalidValue);
}

CALL(cudaMemPoolSetAccess, CudaPool *pool, const void *list, size_t count) {
  (void)list, (void)count;
  ANSWER(pool ? cudaSuccess : cudaErrorInvalidValue);
}
