// After a fault each call returns its error, until the device is reset.
//
// prints:   cudaErrorIllegalAddress cudaErrorIllegalAddress
// prints:   after reset: 0, value 5
// verdict:  out-of-bounds

#include <stdio.h>

__global__ void write(int *p) { *p = 5; } // says 0: the pointer is null

int main() {
  int *p, value = 0;
  write<<<1, 1>>>(0);
  cudaError_t first = cudaDeviceSynchronize();
  cudaError_t second = cudaMalloc(&p, 4);
  printf("%s %s\n", cudaGetErrorName(first), cudaGetErrorName(second));
  cudaDeviceReset();
  cudaMalloc(&p, 4);
  write<<<1, 1>>>(p);
  int error = cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
  printf("after reset: %d, value %d\n", error, value);
  return 0;
}
