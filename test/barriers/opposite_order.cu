// Two roles of several warps take two locks of a kind in opposite order: a named
// barrier and an mbarrier.
//
// technique: barriers
// args:     --blockDim=128
// verdict:  verified
// bug 1:    deadlock   each waits for what the other does behind its own wait
// bug 2:    deadlock   nobody ever arrives for the first phase

#include "mbarrier.h"
#include "named.h"

__global__ void __launch_bounds__(128) roles() {
  __shared__ unsigned long long filled;
  if (threadIdx.x == 0)
    init(&filled, 64);
  __syncthreads();
  if (threadIdx.x < 64) {
#if BUG == 1
    bar_sync(1, 128); // expect 1: deadlock
    arrive(&filled);
#elif BUG == 2
    bar_sync(1, 128);
#else
    arrive(&filled);
    bar_sync(1, 128);
#endif
  } else {
#if BUG == 2
    bar_arrive(1, 128);
    wait(&filled, 0); // expect 2: deadlock
#else
    wait(&filled, 0); // allow 1: deadlock
    bar_arrive(1, 128);
#endif
  }
}
