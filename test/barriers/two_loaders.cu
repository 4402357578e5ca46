// Two loaders with barriers of their own bring a vector and a matrix.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       both loaders say "done" at one barrier
// bug 2:    racy       the consumers wait for one loader only
// possible 2: what follows from a mistake, and is only seen behind it

#include "named.h"

enum { COMPUTE = 64, PAIR = COMPUTE + 32, ROUNDS = 4 };

__device__ void load(float *to, const float *from, int barrier) {
  int lane = threadIdx.x % 32;
  for (int i = 0; i < ROUNDS; i++) {
    bar_sync(barrier, PAIR);
    to[lane] = from[i * 64 + lane]; // expect 1,2: race in shared memory
    to[lane + 32] = from[i * 64 + lane + 32];
#if BUG == 1
    bar_arrive(2, PAIR);
#else
    bar_arrive(barrier + 1, PAIR);
#endif
  }
}

__global__ void __launch_bounds__(128)
    product(const float *a, const float *x, float *out) {
  __shared__ float row[64], vector[64];
  int t = threadIdx.x;
  if (t >= COMPUTE + 32) {
    load(vector, x, 3); // expect 1,2: barrier
  } else if (t >= COMPUTE) {
    load(row, a, 1); // allow 1: recycled
  } else {
    float sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      bar_arrive(1, PAIR); // allow 1: recycled
      bar_arrive(3, PAIR); // allow 1: recycled
      bar_sync(2, PAIR);   // allow 1: barrier 2
#if BUG != 1 && BUG != 2
      bar_sync(4, PAIR);
#endif
      sum += row[t] * vector[63 - t]; // allow 1: race
    }
    out[t] = sum;
  }
}
