// Warps without work leave, but not before they have arrived.
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   they leave before
// bug 2:    divergent  they arrive after their last turn, too

#include "named.h"

enum { WORKERS = 3 };

__global__ void __launch_bounds__(128) sum(const int *in, int n, int *out) {
  __shared__ int cell[128];
  int t = threadIdx.x, warp = t / 32;
  cell[t] = t;
  if (warp >= WORKERS) {
#if BUG != 1
    bar_arrive(4, 128);
#endif
#if BUG == 2
    bar_arrive(4, 128); // expect 2: more threads come
#endif
    return;
  }
  bar_sync(4, 128); // expect 1: deadlock
  out[t] = cell[t] + cell[t + 32];
}
