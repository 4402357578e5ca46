// Three producers, each with a pair of barriers, and one consumer that takes
// from them in turn.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       having taken from one it tells the next
// bug 2:    racy       all three write to one place

#include "named.h"

enum { PRODUCERS = 3, ROUNDS = 4, FULL = 1, EMPTY = 4 };

__global__ void __launch_bounds__(128) merge(const int *in, int *out) {
  __shared__ int cell[PRODUCERS][32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#if BUG == 2
  int place = 0;
#else
  int place = warp;
#endif
  if (warp < PRODUCERS) {
    for (int i = 0; i < ROUNDS; i++) {
      bar_sync(EMPTY + warp, 64);
      cell[place][lane] = in[i * 128 + threadIdx.x]; // expect 1,2: race
      bar_arrive(FULL + warp, 64);                   // allow 1: recycled
    }
    return;
  }
  for (int k = 0; k < PRODUCERS; k++)
    bar_arrive(EMPTY + k, 64);
  for (int i = 0; i < ROUNDS * PRODUCERS; i++) {
    int from = i % PRODUCERS;
    bar_sync(FULL + from, 64);
    out[i * 32 + lane] = cell[BUG == 2 ? 0 : from][lane];
    if (i + PRODUCERS < ROUNDS * PRODUCERS)
#if BUG == 1
      bar_arrive(EMPTY + (from + 1) % PRODUCERS, 64); // allow 1: recycled
#else
      bar_arrive(EMPTY + from, 64);
#endif
  }
}
