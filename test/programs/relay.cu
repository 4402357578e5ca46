// Each block waits for the one behind it, in a loop with barriers in it: all of
// them have to take turns.
//
// args:     --detect=none
// prints:   relay: 10, no error
// verdict:  passed

#include <cuda_runtime.h>
#include <stdio.h>

__global__ void relay(volatile int *done, volatile int *out) {
  __shared__ int goes;
  bool is_last = blockIdx.x == gridDim.x - 1;
  do {
    __syncthreads();
    if (threadIdx.x == 0)
      goes = is_last || done[blockIdx.x + 1];
    __syncthreads();
  } while (!goes);
  if (threadIdx.x == 0) {
    __threadfence();
    out[blockIdx.x] = is_last ? 1 : out[blockIdx.x + 1] + 1;
    __threadfence();
    done[blockIdx.x] = 1;
  }
}

int main() {
  int *done, *out;
  cudaMallocManaged(&done, 40);
  cudaMallocManaged(&out, 40);
  cudaMemset(done, 0, 40);
  relay<<<10, 64>>>(done, out);
  cudaDeviceSynchronize();
  printf("relay: %d, %s\n", out[0], cudaGetErrorString(cudaGetLastError()));
}
