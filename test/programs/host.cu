// What the host does wrong: memory of the device is not its own, and a launch
// or a copy that cannot be made is an error that somebody must ask for.
//
// prints:   sum 120, 7 kept
// prints:   too many threads: 1
// prints:   behind the end: 1
// verdict:  passed
// bug 1:    failed  the host reads memory of the device
// bug 2:    failed  ... writes it, behind a launch
// bug 3:    failed  ... in a function of the library
// bug 4:    failed  ... that it has given back
// bug 5:    failed  a block of 1025 threads, which nobody asks about
// bug 6:    failed  a grid of none
// bug 7:    failed  more shared memory than there is
// bug 8:    failed  bytes instead of elements: a copy beyond the end
// bug 9:    failed  ... from the device
// bug 10:   failed  ... of rows
// bug 11:   failed  ... in order of a stream
// bug 12:   failed  ... of a box
// bug 13:   failed  ... to a variable, from an offset on
// bug 14:   failed  a fill beyond the end
// bug 15:   failed  ... of rows
// bug 16:   failed  memory is given back twice
// bug 17:   failed  a null pointer of the host's own
// bug 18:   failed  more threads than the kernel is compiled for
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

__device__ int table[16];

__global__ void __launch_bounds__(512) sum(const int *in, int *out, int n) {
  extern __shared__ int cells[];
  cells[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    *out = 0;
    for (int i = 0; i < n; i++)
      *out += cells[i] + table[i];
  }
}

int main() {
  enum { N = 16, BYTES = N * sizeof(int) };
  int host[4 * N], *in, *out, result = 0;
  for (int i = 0; i < 4 * N; i++)
    host[i] = i;
  cudaMalloc(&in, BYTES);
  cudaMalloc(&out, sizeof *out);

  // What is asked about is no mistake.
  sum<<<1, 2048, 128>>>(in, out, N);
  printf("too many threads: %d\n", cudaGetLastError() != cudaSuccess);
  cudaMemset(out, 0, 5);
  printf("behind the end: %d\n", cudaPeekAtLastError());
  cudaGetLastError();

  if (BUG == 8)
    cudaMemcpy(in, host, N * BYTES, cudaMemcpyHostToDevice); // says 8: 64
  cudaMemcpy(in, host, BYTES, cudaMemcpyHostToDevice);
  if (BUG == 1)
    result += in[3]; // says 1: the host reads byte 12 of allocation 1
  if (BUG == 3)
    memcpy(host, in, 8); // says 3: the host reads byte 0 of allocation 1
  int threads = BUG == 5 ? 1025 : BUG == 18 ? 513 : 32;
  int shared = BUG == 7 ? 50000 : 128;
  sum<<<BUG != 6, threads, shared>>>(in, out, N); // says 5,6,7,18: not launched
  if (BUG == 2)
    in[0] = 0; // says 2: the host writes byte 0 of allocation 1
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  if (BUG == 9)
    cudaMemcpy(host, in + 1, BYTES, cudaMemcpyDeviceToHost); // says 9: byte 4
  if (BUG == 10)
    cudaMemcpy2D(in, 16, host, 16, 16, 5, cudaMemcpyDefault); // says 10: 64
  if (BUG == 11)
    cudaMemcpyAsync(host, in, 65, cudaMemcpyDefault, 0); // says 11: 65 bytes
  if (BUG == 12) {
    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(host, 16, 16, 2);
    box.dstPtr = make_cudaPitchedPtr(in, 16, 16, 2);
    box.extent = make_cudaExtent(16, 2, 3);
    box.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&box); // says 12: a copy of 96 bytes is not made
  }
  if (BUG == 13)
    cudaMemcpyToSymbol(table, host, BYTES, 4); // says 13: byte 4 of table
  if (BUG == 14)
    cudaMemset(in, 0, BYTES + 1); // says 14: a fill of 65 bytes is not made
  if (BUG == 15)
    cudaMemset2D(in, 32, 0, 16, 3); // says 15: a fill of 80 bytes is not made
  // Rows whose last one ends before its pitch does.
  cudaMemset2D((char *)in + 4, 32, 7, 28, 2);
  cudaMemcpy(host, in, BYTES, cudaMemcpyDeviceToHost);
  printf("sum %d, %d kept\n", result, 7 + host[0] + host[8] - 8);

  cudaFree(in);
  if (BUG == 4)
    host[0] = in[0]; // says 4: 64 bytes have been given back
  if (BUG == 16)
    cudaFree(in); // says 16: allocation 1 is given back a second time
  if (BUG == 17)
    *(volatile int *)nullptr = 1; // says 17: the host writes at address
  // A reset gives everything back, and what comes too late finds nothing.
  cudaDeviceReset();
  cudaFree(out);
}
