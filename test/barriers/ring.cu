// A ring of four warps: each takes a cell from the one behind and hands one to
// the one in front, a barrier for each neighbourhood and direction.
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   everybody takes before they give
// bug 2:    racy       nobody waits until the cell is taken

#include "named.h"

enum { WARPS = 4, ROUNDS = 5 };

__global__ void __launch_bounds__(32 * WARPS) ring(int *out) {
  __shared__ int cell[WARPS][32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int behind = (warp + WARPS - 1) % WARPS, value = threadIdx.x;
  int give = 1 + warp, take = 1 + behind;
  int given = 8 + warp, taken = 8 + behind;
  for (int i = 0; i < ROUNDS; i++) {
#if BUG == 1
    bar_sync(take, 64); // expect 1: deadlock
    int next = cell[behind][lane];
    cell[warp][lane] = value;
    bar_arrive(give, 64);
#else
    cell[warp][lane] = value; // expect 2: race in shared memory
    bar_arrive(give, 64);     // allow 2: barrier
    bar_sync(take, 64);       // allow 2: deadlock
    int next = cell[behind][lane];
#endif
#if BUG != 2
    bar_arrive(taken, 64);
    bar_sync(given, 64);
#endif
    value = next;
  }
  out[threadIdx.x] = value;
}
