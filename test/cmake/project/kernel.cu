#include <sizes.h>

#ifdef NOTE
static_assert(sizeof NOTE == 7, "a definition with a blank in it");
#endif

__global__ void reverse(int *out) {
  __shared__ int cells[cells_of_tile];
  cells[threadIdx.x] = threadIdx.x;
#ifndef FORGET
  __syncthreads();
#endif
  out[blockIdx.x * TILE + threadIdx.x] = cells[TILE - 1 - threadIdx.x];
}
