// Numbers sorted by digits of four bits, by one warp: each thread counts its
// own, a scan says where they go.
//
// args:     --detect=races
// prints:   sorted
// verdict:  passed
// bug 1:    racy    the warp is taken to be in step

#include <stdio.h>
#include <stdlib.h>

#ifndef SCALE
#define SCALE 1 // how many times larger it is
#endif

enum { THREADS = 32, EACH = 64 * SCALE, COUNT = THREADS * EACH };

#if BUG == 1
#define in_step() (void)0
#else
#define in_step() __syncwarp()
#endif

// The sum of what the threads before this one have.
__device__ unsigned before(unsigned *sums, unsigned own) {
  int t = threadIdx.x;
  sums[t] = 0;
  sums[THREADS + t] = own;
  in_step();
  unsigned sum = own;
  for (int step = 1; step < THREADS; step *= 2) {
    unsigned more = sums[THREADS + t - step]; // says 1: race
    in_step();
    sum += more;
    sums[THREADS + t] = sum;
    in_step();
  }
  return sum - own;
}

__global__ void sort(unsigned *numbers, unsigned *other) {
  __shared__ unsigned sums[2 * THREADS], total;
  int t = threadIdx.x;
  for (int shift = 0; shift < 32; shift += 4) {
    unsigned base = 0;
    for (unsigned digit = 0; digit < 16; digit++) {
      unsigned count = 0;
      for (int i = 0; i < EACH; i++)
        count += (numbers[t * EACH + i] >> shift & 15) == digit;
      unsigned place = base + before(sums, count);
      for (int i = 0; i < EACH; i++) {
        unsigned number = numbers[t * EACH + i];
        if ((number >> shift & 15) == digit)
          other[place++ % COUNT] = number;
      }
      if (t == THREADS - 1)
        total = place;
      __syncwarp();
      base = total;
      __syncwarp();
    }
    unsigned *swap = numbers;
    numbers = other;
    other = swap;
    __syncthreads();
  }
}

int main() {
  unsigned *numbers, *other, host[COUNT];
  for (unsigned i = 0, random = 7; i < COUNT; i++)
    host[i] = random = random * 1664525 + 1013904223;
  cudaMalloc(&numbers, sizeof host);
  cudaMalloc(&other, sizeof host);
  cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
  sort<<<1, THREADS>>>(numbers, other);
  cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
  bool is_sorted = true;
  for (int i = 1; i < COUNT; i++)
    is_sorted &= host[i - 1] <= host[i];
  printf("%s\n", is_sorted ? "sorted" : "not sorted");
  cudaFree(numbers);
  cudaFree(other);
}
