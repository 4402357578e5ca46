// A program of two files, each with device code of the same names.
//
// also:     two_files_other.cpp
// prints:   17 and 34
// verdict:  passed

#include <stdio.h>

static __device__ int amount = 17;
__global__ void put(int *out) { *out = amount; }

int twice(int x);

int main() {
  int *out;
  cudaMallocManaged(&out, sizeof *out);
  put<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%d and %d\n", *out, twice(*out));
  cudaFree(out);
  return 0;
}
