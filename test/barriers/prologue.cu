// A pipeline whose first and last rounds stand outside the loop.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the loop begins with the buffer that is in use
// bug 2:    deadlock   the last round waits for one more

#include "named.h"

enum { ROUNDS = 5, ALL = 64, FULL = 1, EMPTY = 3 };

__device__ void load(float *to, const float *from) {
  to[threadIdx.x % 32] = from[threadIdx.x % 32]; // expect 1: race in shared
}

__global__ void __launch_bounds__(ALL) pipe(const float *in, float *out) {
  __shared__ float cell[2][32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    load(cell[0], in);
    bar_arrive(FULL, ALL);
    for (int i = 1; i < ROUNDS; i++) {
      if (i >= 2)
        bar_sync(EMPTY + i % 2, ALL); // allow 2: deadlock
      load(cell[BUG == 1 ? (i + 1) % 2 : i % 2], in + i * 32);
      bar_arrive(FULL + i % 2, ALL);
    }
    return;
  }
  for (int i = 0; i + 1 < ROUNDS; i++) {
    bar_sync(FULL + i % 2, ALL);
    out[i * 32 + lane] = cell[i % 2][31 - lane];
    if (i + 2 < ROUNDS)
      bar_arrive(EMPTY + i % 2, ALL);
  }
  bar_sync(FULL + (ROUNDS - 1 + (BUG == 2)) % 2, ALL); // expect 2: deadlock
  out[(ROUNDS - 1) * 32 + lane] = cell[(ROUNDS - 1) % 2][31 - lane];
}
