// A cell goes from one warp to the other and back by the same barrier, which a
// barrier of both makes safe to use again.
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   the one in between is missing
// bug 2:    racy       the way back has no barrier
// possible 1: what follows from a mistake, and is only seen behind it

#include "named.h"

__global__ void __launch_bounds__(64) exchange(int *out) {
  __shared__ int cell[32];
  int lane = threadIdx.x % 32, is_first = threadIdx.x < 32;
  int got = 0;
  if (is_first) {
    cell[lane] = lane;
    bar_arrive(1, 64); // allow 1: barrier 1
  } else {
    bar_sync(1, 64); // expect 1: deadlock
    got = cell[lane];
  }
#if BUG != 1
  bar_sync(0, 64);
#endif
  if (is_first) {
#if BUG != 2
    bar_sync(1, 64); // expect 1: comes twice
#endif
    got = cell[lane]; // expect 2: race in shared memory
  } else {
    cell[lane] = -got; // expect 2: race in shared memory
#if BUG != 2
    bar_arrive(1, 64);
#endif
  }
  out[threadIdx.x] = got;
}
