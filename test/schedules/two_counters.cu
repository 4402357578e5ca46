// One block counts what it has begun, then what it has ended; the other one looks.
//
// Who looks has to do it in the other order, else more may have ended than had
// begun a moment before.
//
// verdict:  passed
// bug 1:    assertion   looked at in the order in which they are counted

#include <assert.h>

__global__ void two_counters(unsigned *begun, unsigned *ended) {
  if (blockIdx.x == 0) {
#if BUG == 1
    unsigned first = atomicAdd(begun, 0);
    unsigned second = atomicAdd(ended, 0); // says 1: waits before it updates
    assert(second <= first); // says 1: assertion failed
#else
    unsigned second = atomicAdd(ended, 0);
    unsigned first = atomicAdd(begun, 0);
    assert(second <= first);
#endif
  } else {
    for (int i = 0; i < 2; i++) {
      atomicAdd(begun, 1);
      __threadfence();
      atomicAdd(ended, 1);
    }
  }
}
