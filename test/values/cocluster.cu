// Clusters of rows and columns at once: eight warps of a block add up what the
// columns have in each cluster of rows, 8 blocks of 256 threads.
//
// args:     --detect=races
// prints:   the sum is 2097152
// verdict:  passed
// bug 1:    racy    the sums of other warps are read before they are there

#include <stdio.h>
#include <stdlib.h>

#ifndef SCALE
#define SCALE 1 // how many times larger it is
#endif

enum { BLOCKS = 8 * SCALE, THREADS = 256, WARPS = THREADS / 32, CLUSTERS = 28 };
enum { ROWS = 1024, COLUMNS = BLOCKS * THREADS };

__global__ void add_up(const float *data, const int *clusters, float *sums) {
  __shared__ float partial[WARPS][CLUSTERS];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (lane < CLUSTERS)
    partial[warp][lane] = 0;
  __syncwarp();
  for (int row = 0; row < ROWS; row++) {
    float value = data[row * COLUMNS + blockIdx.x * THREADS + t];
    for (int step = 16; step > 0; step /= 2)
      value += __shfl_down_sync(~0u, value, step);
    if (lane == 0)
      partial[warp][clusters[row]] += value;
  }
#if BUG == 1
  __syncwarp();
#else
  __syncthreads();
#endif
  if (warp == 0 && lane < CLUSTERS) {
    float sum = 0;
    for (int i = 0; i < WARPS; i++)
      sum += partial[i][lane]; // says 1: race
    sums[blockIdx.x * CLUSTERS + lane] = sum;
  }
}

int main() {
  float *data, *sums, *host = (float *)malloc(ROWS * COLUMNS * sizeof *host);
  static float host_sums[BLOCKS * CLUSTERS];
  static int host_clusters[ROWS];
  int *clusters;
  double sum = 0;
  for (int i = 0; i < ROWS * COLUMNS; i++)
    host[i] = 1;
  for (int i = 0; i < ROWS; i++)
    host_clusters[i] = i * 5 % CLUSTERS;
  cudaMalloc(&data, ROWS * COLUMNS * sizeof *data);
  cudaMalloc(&sums, sizeof host_sums);
  cudaMalloc(&clusters, sizeof host_clusters);
  cudaMemcpy(data, host, ROWS * COLUMNS * sizeof *data, cudaMemcpyHostToDevice);
  cudaMemcpy(clusters, host_clusters, sizeof host_clusters,
             cudaMemcpyHostToDevice);
  add_up<<<BLOCKS, THREADS>>>(data, clusters, sums);
  cudaMemcpy(host_sums, sums, sizeof host_sums, cudaMemcpyDeviceToHost);
  for (int i = 0; i < BLOCKS * CLUSTERS; i++)
    sum += host_sums[i];
  printf("the sum is %.0f\n", sum);
  cudaFree(data);
  cudaFree(sums);
  cudaFree(clusters);
  free(host);
}
