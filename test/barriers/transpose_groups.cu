// Two groups of two warps transpose a tile each, each with its own barrier.
//
// technique: barriers
// verdict:  verified
// bug 1:    divergent  both groups use one barrier
// bug 2:    racy       the groups share a column
// bug 3:    racy       the tile is filled again before it is read

#include "named.h"

enum { SIDE = 8, GROUP = 64, ROUNDS = 3 };

__global__ void __launch_bounds__(2 * GROUP)
    transpose(const float *in, float *out) {
  __shared__ float tile[2 * SIDE][SIDE];
  int group = threadIdx.x / GROUP, t = threadIdx.x % GROUP;
  int x = t % SIDE, y = t / SIDE;
#if BUG == 1
  int barrier = 1;
#else
  int barrier = 1 + group;
#endif
#if BUG == 2
  int base = group * (SIDE - 1);
#else
  int base = group * SIDE;
#endif
  for (int i = 0; i < ROUNDS; i++) {
    int at = (i * 2 + group) * GROUP;
    tile[base + y][x] = in[at + t];  // expect 2,3: race in shared memory
    bar_sync(barrier, GROUP);        // expect 1: recycled too early
    out[at + t] = tile[base + x][y]; // allow 1,2: race
#if BUG != 3
    bar_sync(barrier, GROUP); // allow 1: recycled
#endif
  }
}
