// Threads that leave before a barrier: a device does not wait for them, so that
// is told, and the launch goes on; at two barriers nobody goes on.
//
// prints:   sum 9, no error
// verdict:  divergent
// bug 1:    divergent   two barriers at a time

#include <cuda_runtime.h>
#include <stdio.h>

#if BUG == 1
__global__ void sum(int *a, int n) {
  if (threadIdx.x & 1)
    __syncthreads();
  else
    __syncthreads(); // says 1: barrier divergence
  *a = n;
}
#else
__global__ void sum(int *a, int n) {
  __shared__ int kept[8];
  if (threadIdx.x >= n)
    return;
  kept[threadIdx.x] = a[threadIdx.x];
  // Those who have left have no vote.
  int votes = __syncthreads_count(1); // says 0: barrier divergence
  votes *= __syncthreads_and(kept[threadIdx.x]);
  if (threadIdx.x)
    return;
  for (int i = 1; i < n; i++)
    kept[0] += kept[i];
  __syncthreads();
  a[0] = kept[0] + votes;
}
#endif

int main() {
  int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *at;
  cudaMalloc(&at, sizeof a);
  cudaMemcpy(at, a, sizeof a, cudaMemcpyHostToDevice);
  sum<<<1, 8>>>(at, 3);
  cudaMemcpy(a, at, sizeof a, cudaMemcpyDeviceToHost);
  printf("sum %d, %s\n", a[0], cudaGetErrorString(cudaGetLastError()));
}
