// A pair of words behind a counter that is odd while they are written: a reader
// that saw the counter change reads again.
//
// args:     --check=assert
// verdict:  passed
// bug 1:    assertion   the counter is looked at before only
// bug 2:    assertion   the writer does not make it odd
// bug 3:    assertion   an odd counter is taken for a good one

#include <assert.h>

__global__ void seqlock(unsigned *version, int *pair, int *seen) {
  volatile int *words = pair;
  if (blockIdx.x == 0) {
    for (int i = 1; i <= 2; i++) {
#if BUG != 2
      atomicAdd(version, 1);
#endif
      __threadfence();
      words[0] = i;
      words[1] = i;
      __threadfence();
#if BUG == 2
      atomicAdd(version, 1);
#endif
      atomicAdd(version, 1);
    }
    return;
  }
  unsigned before, after;
  int first, second;
  do {
    before = atomicAdd(version, 0);
    __threadfence();
    first = words[0];
    second = words[1];
    __threadfence();
    after = atomicAdd(version, 0);
#if BUG == 1
    after = before;
#endif
#if BUG == 3
  } while (before != after);
#else
  } while (before != after || before % 2);
#endif
  seen[0] = first;
  assert(first == second); // says 1,2,3: assertion failed: first == second
}
