// A step of expectation maximisation: each thread has a window of shared memory
// for the distances of its point, 8 blocks of 320 threads.
//
// args:     --detect=races
// prints:   2560 points with a likelihood
// verdict:  passed
// bug 1:    racy    the windows are larger than the steps between them

#include <stdio.h>
#include <stdlib.h>

#ifndef SCALE
#define SCALE 1 // how many times larger it is
#endif

enum { BLOCKS = 8 * SCALE, THREADS = 320, DIMENSIONS = 9 };
enum { STEP = BUG == 1 ? DIMENSIONS - 1 : DIMENSIONS };

__global__ void expect(const float *points, const float *means, float *likely) {
  __shared__ float windows[THREADS * DIMENSIONS];
  int t = threadIdx.x, point = blockIdx.x * THREADS + t;
  float *apart = windows + t * STEP;
  for (int d = 0; d < DIMENSIONS; d++)
    apart[d] = points[point * DIMENSIONS + d] - means[d]; // says 1: race
  float sum = 0;
  for (int d = 0; d < DIMENSIONS; d++)
    sum += apart[d] * apart[d];
  likely[point] = expf(-sum / 200);
}

int main() {
  enum { POINTS = BLOCKS * THREADS };
  static float host[POINTS * DIMENSIONS], host_likely[POINTS];
  float host_means[DIMENSIONS], *points, *means, *likely;
  for (int i = 0; i < POINTS * DIMENSIONS; i++)
    host[i] = i * 7 % 11;
  for (int i = 0; i < DIMENSIONS; i++)
    host_means[i] = i;
  cudaMalloc(&points, sizeof host);
  cudaMalloc(&means, sizeof host_means);
  cudaMalloc(&likely, sizeof host_likely);
  cudaMemcpy(points, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(means, host_means, sizeof host_means, cudaMemcpyHostToDevice);
  expect<<<BLOCKS, THREADS>>>(points, means, likely);
  cudaMemcpy(host_likely, likely, sizeof host_likely, cudaMemcpyDeviceToHost);
  int count = 0;
  for (int i = 0; i < POINTS; i++)
    count += host_likely[i] > 0;
  printf("%d points with a likelihood\n", count);
  cudaFree(points);
  cudaFree(means);
  cudaFree(likely);
}
