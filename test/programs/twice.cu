// A program whose kernels are executed twice, region by region.
//
// args:     --detect=values --prove=0
// prints:   reversed
// prints:   510 0
// verdict:  passed
// bug 1:    racy     nobody waits
// bug 2:    racy     blocks count in one place

#include <stdio.h>

#ifndef BUG
#define BUG 0
#endif

#define N 256

__device__ int counter[N];

__global__ void reverse(int *a) {
  extern __shared__ int tile[];
  int t = threadIdx.x;
  tile[t] = a[t];
  if (BUG != 1)
    __syncthreads();
  a[t] = tile[blockDim.x - 1 - t]; // says 1: read-write race on 'tile'
  if (t == 0)
    printf("reversed\n");
}

__global__ void count(const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  counter[BUG == 2 ? threadIdx.x : i] += a[i]; // says 2: race on 'counter'
}

int main() {
  int *a, host[N];
  for (int i = 0; i < N; i++)
    host[i] = i;
  cudaMalloc(&a, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  reverse<<<1, N, sizeof host>>>(a);
  count<<<4, N / 4>>>(a, N);
  count<<<4, N / 4>>>(a, N);
  cudaMemcpyFromSymbol(host, counter, sizeof host);
  printf("%d %d\n", host[0], host[N - 1]);
  return cudaDeviceSynchronize() != cudaSuccess;
}
