// All sixteen barriers, one for each pair of warps.
//
// technique: barriers
// verdict:  verified
// bug 1:    divergent  the last pair takes the first one's
// bug 2:    unknown    there is no barrier 16

#include "named.h"

__global__ void __launch_bounds__(1024) pairs(int *out) {
  __shared__ int cell[1024];
  int t = threadIdx.x, barrier = t / 64;
#if BUG == 1
  barrier %= 15;
#elif BUG == 2
  barrier++;
#endif
  cell[t] = t;
  bar_sync(barrier, 64); // expect 1: recycled too early
  out[t] = cell[t ^ 63];
}
