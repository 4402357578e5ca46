// Waits for what nobody writes.
//
// args:     --timeout=1
// prints:   cudaErrorLaunchTimeout
// verdict:  endless

#include <stdio.h>

__global__ void wait(volatile int *flag) {
  while (!*flag) // says 0: this loop does not end
    ;
}

int main() {
  int *flag;
  cudaMalloc(&flag, sizeof *flag);
  wait<<<1, 4>>>(flag);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
