// Barriers in functions that are called: by name, number and kind.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the two names are in the wrong order
// bug 2:    racy       the consumer signals instead of waiting
// possible 2: what follows from a mistake, and is only seen behind it

#include "named.h"

struct Channel {
  int full, empty, threads;
};

__device__ __attribute__((noinline)) void wait(int name, int threads) {
  bar_sync(name, threads);
}

__device__ __attribute__((noinline)) void signal(int name, int threads) {
  bar_arrive(name, threads);
}

__device__ void produce(Channel way, int *cell, int value) {
  wait(way.empty, way.threads);
  *cell = value; // expect 1,2: race in shared memory
  signal(way.full, way.threads);
}

__device__ int consume(Channel way, const int *cell) {
  signal(way.empty, way.threads);
#if BUG == 2
  signal(way.full, way.threads);
#else
  wait(way.full, way.threads);
#endif
  return *cell;
}

__global__ void __launch_bounds__(64) pipe(const int *in, int *out) {
  __shared__ int cell[32];
  int lane = threadIdx.x % 32;
  Channel there = {1, 2, 64};
#if BUG == 1
  if (threadIdx.x < 32)
    there = {2, 1, 64};
#endif
  for (int i = 0; i < 4; i++)
    if (threadIdx.x < 32)
      produce(there, &cell[lane], in[i * 32 + lane]); // allow 1,2: barrier
    else
      out[i * 32 + lane] = consume(there, &cell[lane]); // allow 1,2: barrier
}
