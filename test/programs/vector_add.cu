// Adds two vectors and checks the sum itself; four mistakes of kernels.
//
// prints:   sum is right
// verdict:  passed
// bug 1:    out-of-bounds   one element too far
// bug 2:    out-of-bounds   a pointer to memory of the host
// bug 3:    out-of-bounds   a pointer to memory that was given back
// bug 4:    assertion       an assertion that does not hold

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

__global__ void add(const float *a, const float *b, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  if (i <= n)
#else
  if (i < n)
#endif
    sum[i] = a[i] + b[i]; // says 1,2,3: access outside of
  assert(BUG != 4 || i != 77); // says 4: assertion failed
}

int main() {
  const int n = 1000;
  size_t bytes = n * sizeof(float);
  float *x = (float *)malloc(bytes), *y = (float *)malloc(bytes);
  float *a, *b, *sum;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&sum, bytes);
  for (int i = 0; i < n; i++) {
    x[i] = i;
    y[i] = 2 * i;
  }
  cudaMemcpy(a, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, y, bytes, cudaMemcpyHostToDevice);
  if (BUG == 3)
    cudaFree(b);
  add<<<(n + 255) / 256, 256>>>(a, BUG == 2 ? y : b, sum, n);
  cudaError_t error = cudaDeviceSynchronize();
  if (error) {
    // It stays, and the program goes on.
    int same = cudaGetLastError() == error && cudaFree(a) == error;
    printf("%s, %s\n", cudaGetErrorName(error), same ? "sticky" : "forgotten");
    return 0;
  }
  cudaMemcpy(x, sum, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    if (x[i] != 3 * i)
      return 1;
  printf("sum is right\n");
  free(x);
  free(y);
  cudaFree(a);
  cudaFree(b);
  cudaFree(sum);
  return 0;
}
