// One barrier for both directions: who is fast may use it again while the
// others have not left it.
//
// technique: barriers
// verdict:  verified
// bug 1:    divergent  two pairs of warps use one barrier

#include "named.h"

__global__ void __launch_bounds__(128) pairs(int *out) {
  __shared__ int cell[128];
  int t = threadIdx.x, pair = t / 64;
  cell[t] = t; // allow 1: race
#if BUG == 1
  bar_sync(1, 64); // expect 1: recycled too early
#else
  bar_sync(1 + pair, 64);
#endif
  out[t] = cell[t ^ 63];
}
