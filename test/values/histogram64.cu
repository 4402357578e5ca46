// A histogram with 64 bins of bytes: each of 192 threads has counters of its
// own in shared memory, 2067 blocks give a partial one each.
//
// args:     --detect=races
// prints:   4165004 bytes counted
// verdict:  passed
// bug 1:    racy    two threads of different warps share their counters

#include <stdio.h>
#include <stdlib.h>

#ifndef SCALE
#define SCALE 1 // how many times larger it is
#endif

enum { BLOCKS = 2067 * SCALE, THREADS = 192, BINS = 64, WORDS = 3 };

__global__ void count(const unsigned *data, unsigned *partial, int words) {
  __shared__ unsigned char counters[BINS * THREADS];
  int t = threadIdx.x;
  int own = BUG == 1 && t == 32 ? 0 : t;
  for (int bin = 0; bin < BINS; bin++)
    counters[bin * THREADS + t] = 0;
  __syncthreads();
  int first = (blockIdx.x * THREADS + t) * WORDS;
  for (int i = first; i < first + WORDS && i < words; i++)
    for (int shift = 0; shift < 32; shift += 8)
      counters[(data[i] >> shift & BINS - 1) * THREADS + own]++; // says 1: race
  __syncthreads();
  if (t >= BINS)
    return;
  unsigned sum = 0;
  for (int i = 0; i < THREADS; i++)
    sum += counters[t * THREADS + (t + i) % THREADS];
  partial[blockIdx.x * BINS + t] = sum;
}

__global__ void add_up(const unsigned *partial, unsigned *bins) {
  __shared__ unsigned sums[192];
  int t = threadIdx.x;
  sums[t] = 0;
  for (int i = t; i < BLOCKS; i += 192)
    sums[t] += partial[i * BINS + blockIdx.x];
  __syncthreads();
  if (t != 0)
    return;
  unsigned sum = 0;
  for (int i = 0; i < 192; i++)
    sum += sums[i];
  bins[blockIdx.x] = sum;
}

int main() {
  const int words = 1041251 + (SCALE - 1) * 2067 * THREADS * WORDS;
  unsigned *data, *partial, *bins, sum = 0, host_bins[BINS];
  unsigned *host = (unsigned *)malloc(words * sizeof *host);
  for (unsigned i = 0, random = 1; i < words; i++)
    host[i] = random = random * 1664525 + 1013904223;
  host[words - 1] = 0;
  cudaMalloc(&data, words * sizeof *data);
  cudaMalloc(&partial, BLOCKS * BINS * sizeof *partial);
  cudaMalloc(&bins, BINS * sizeof *bins);
  cudaMemcpy(data, host, words * sizeof *data, cudaMemcpyHostToDevice);
  count<<<BLOCKS, THREADS>>>(data, partial, words);
  add_up<<<BINS, 192>>>(partial, bins);
  cudaMemcpy(host_bins, bins, sizeof host_bins, cudaMemcpyDeviceToHost);
  for (int i = 0; i < BINS; i++)
    sum += host_bins[i];
  printf("%u bytes counted\n", sum);
  cudaFree(data);
  cudaFree(partial);
  cudaFree(bins);
  free(host);
}
