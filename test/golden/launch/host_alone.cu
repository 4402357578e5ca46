// Code that the device's compilation has not may launch a kernel all the same.
//
// verdict: verified
// bug 1:   racy  with two dimensions

__global__ void add(int *cell) {
  cell[blockIdx.x * blockDim.x + threadIdx.x]++; // expect 1: race on 'cell'
}

#ifndef __CUDA_ARCH__
void run(int *cell) {
#if BUG == 1
  add<<<4, dim3(8, 8)>>>(cell);
#else
  add<<<4, 64>>>(cell);
#endif
}
#endif
