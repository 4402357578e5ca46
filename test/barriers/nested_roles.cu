// Two pipelines in one block; in each, one warp loads and one computes, and
// after every round the two that compute meet.
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   the loading warps are counted, too
// bug 2:    racy       both pipelines say "full" at one barrier

#include "named.h"

enum { ROUNDS = 3, MEET = 9 };

__global__ void __launch_bounds__(128) two(const int *in, int *out) {
  __shared__ int cell[2][32], sum[2][32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, line = warp / 2;
  int full = 1 + 2 * line, empty = full + 1;
#if BUG == 2
  full = 1;
#endif
  for (int i = 0; i < ROUNDS; i++)
    if (warp % 2 == 0) {
      bar_sync(empty, 64); // allow 1: deadlock
      cell[line][lane] = in[i * 64 + line * 32 + lane];
      bar_arrive(full, 64); // expect 2: barrier 1
    } else {
      bar_arrive(empty, 64);                   // allow 2: barrier
      bar_sync(full, 64);                      // allow 2: barrier
      sum[line][lane] = cell[line][31 - lane]; // allow 2: race
#if BUG == 1
      bar_sync(MEET, 128); // expect 1: deadlock
#else
      bar_sync(MEET, 64); // allow 2: deadlock
#endif
      out[i * 64 + line * 32 + lane] = sum[1 - line][lane]; // allow 2: race
      bar_sync(MEET + 1, 64);                               // allow 2: deadlock
    }
}
