// Neighbours in shared memory, with and without a barrier between.
//
// args:     --detect=races
// prints:   sum 2016
// verdict:  passed
// bug 1:    racy   nobody waits

#include <stdio.h>

#ifndef BUG
#define BUG 0
#endif

__global__ void shift(int *out) {
  __shared__ int cell[64];
  cell[threadIdx.x] = threadIdx.x; // says 1: race on 'cell'
  if (BUG != 1)
    __syncthreads();
  out[threadIdx.x] = cell[(threadIdx.x + 1) % 64];
}

int main() {
  int *out, sum = 0;
  cudaMallocManaged(&out, 64 * sizeof *out);
  shift<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++)
    sum += out[i];
  printf("sum %d\n", sum);
  cudaFree(out);
  return 0;
}
