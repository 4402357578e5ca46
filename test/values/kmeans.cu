// Points are given to the nearest of eight centres, and each block adds up what
// has moved: 139 blocks of 128 threads.
//
// args:     --detect=races
// prints:   17792 points belong somewhere
// verdict:  passed
// bug 1:    racy    no barrier before the first sum is read

#include <stdio.h>
#include <stdlib.h>

#ifndef SCALE
#define SCALE 1 // how many times larger it is
#endif

enum { BLOCKS = 139 * SCALE, THREADS = 128, CENTRES = 8, DIMENSIONS = 9 };

__global__ void assign(const float *points, const float *centres, int *nearest,
                       int *moved) {
  __shared__ float own[CENTRES * DIMENSIONS];
  __shared__ int sums[THREADS];
  int t = threadIdx.x, point = blockIdx.x * THREADS + t;
  for (int i = t; i < CENTRES * DIMENSIONS; i += THREADS)
    own[i] = centres[i];
  __syncthreads();
  int best = 0;
  float least = 1e30f;
  for (int c = 0; c < CENTRES; c++) {
    float sum = 0;
    for (int d = 0; d < DIMENSIONS; d++) {
      float apart =
          points[d * BLOCKS * THREADS + point] - own[c * DIMENSIONS + d];
      sum += apart * apart;
    }
    if (sum < least) {
      least = sum;
      best = c;
    }
  }
  sums[t] = nearest[point] != best;
  nearest[point] = best;
  for (int step = THREADS / 2; step > 0; step /= 2) {
    if (BUG != 1 || step != 32)
      __syncthreads();
    if (t < step)
      sums[t] += sums[t + step]; // says 1: race
  }
  if (t == 0)
    moved[blockIdx.x] = sums[0];
}

int main() {
  enum { POINTS = BLOCKS * THREADS };
  float *points, *centres, *host = (float *)malloc(POINTS * DIMENSIONS * 4);
  float host_centres[CENTRES * DIMENSIONS];
  int *nearest, *moved, host_moved[BLOCKS], sum = 0;
  for (int i = 0; i < POINTS * DIMENSIONS; i++)
    host[i] = i * 7 % 100;
  for (int i = 0; i < CENTRES * DIMENSIONS; i++)
    host_centres[i] = i * 13 % 100;
  cudaMalloc(&points, POINTS * DIMENSIONS * 4);
  cudaMalloc(&centres, sizeof host_centres);
  cudaMalloc(&nearest, POINTS * 4);
  cudaMalloc(&moved, sizeof host_moved);
  cudaMemcpy(points, host, POINTS * DIMENSIONS * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(centres, host_centres, sizeof host_centres,
             cudaMemcpyHostToDevice);
  cudaMemset(nearest, -1, POINTS * 4);
  assign<<<BLOCKS, THREADS>>>(points, centres, nearest, moved);
  cudaMemcpy(host_moved, moved, sizeof host_moved, cudaMemcpyDeviceToHost);
  for (int i = 0; i < BLOCKS; i++)
    sum += host_moved[i];
  printf("%d points belong somewhere\n", sum);
  cudaFree(points);
  cudaFree(centres);
  cudaFree(nearest);
  cudaFree(moved);
  free(host);
}
