// An exclusive scan of 512 numbers in each of 256 blocks: sums go up a tree in
// shared memory and come down again.
//
// args:     --detect=races
// prints:   the last sum is 1021
// verdict:  passed
// bug 1:    racy    no barrier between two levels of the way up

#include <stdio.h>
#include <stdlib.h>

#ifndef SCALE
#define SCALE 1 // how many times larger it is
#endif

enum { BLOCKS = 256 * SCALE, THREADS = 512 };

__global__ void scan(const int *in, int *out) {
  __shared__ int tree[THREADS + THREADS / 32];
#define AT(i) tree[(i) + (i) / 32]
  int t = threadIdx.x, first = blockIdx.x * THREADS;
  AT(t) = in[first + t];
  for (int step = 1; step < THREADS; step *= 2) {
    if (BUG != 1 || step != 4)
      __syncthreads();
    int right = (t + 1) * step * 2 - 1;
    if (right < THREADS)
      AT(right) += AT(right - step); // says 1: race
  }
  __syncthreads();
  if (t == 0)
    AT(THREADS - 1) = 0;
  for (int step = THREADS / 2; step > 0; step /= 2) {
    __syncthreads();
    int right = (t + 1) * step * 2 - 1;
    if (right < THREADS) {
      int left = AT(right - step);
      AT(right - step) = AT(right);
      AT(right) += left;
    }
  }
  __syncthreads();
  out[first + t] = AT(t);
}

int main() {
  const int count = BLOCKS * THREADS, bytes = count * sizeof(int);
  int *in, *out, *host = (int *)malloc(bytes);
  for (int i = 0; i < count; i++)
    host[i] = 1 + i % 3;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice);
  scan<<<BLOCKS, THREADS>>>(in, out);
  cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
  printf("the last sum is %d\n", host[THREADS - 1]);
  cudaFree(in);
  cudaFree(out);
  free(host);
}
