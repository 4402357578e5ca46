// Two warps wait for each other; one must arrive first.
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   both wait first
// bug 2:    divergent  both arrive only, and nobody waits

#include "named.h"

__global__ void __launch_bounds__(64) meet() {
  if (threadIdx.x < 32) {
#if BUG == 1
    bar_sync(0, 64); // expect 1: deadlock
    bar_arrive(1, 64);
#else
    bar_arrive(1, 64);
    bar_sync(0, 64); // allow 2: deadlock
#endif
  } else {
#if BUG == 2
    bar_arrive(1, 64); // expect 2: all arrive and nobody waits
    bar_arrive(0, 64);
#else
    bar_sync(1, 64); // expect 1: deadlock
    bar_arrive(0, 64);
#endif
  }
}
