// A lock for many readers or one writer, in one word: readers are counted, and
// a writer is a large negative number.
//
// args:     --check=assert,race
// verdict:  passed
// bug 1:    assertion   a reader that finds a writer is not taken off again
// bug 2:    assertion   readers do not look for a writer
// bug 3:    racy        a writer does not wait for readers
// bug 4:    deadlock    a writer does not give it back

#include <assert.h>

enum { WRITER = -1000 };

__device__ void begin_read(int *lock) {
  while (atomicAdd(lock, 1) < 0) {
#if BUG != 1
    atomicAdd(lock, -1);
#endif
#if BUG == 2
    break;
#endif
  }
  __threadfence();
}

__global__ void rw_lock(int *lock, int *pair, int *out) {
  if (blockIdx.x == 0) {
#if BUG == 3
    atomicAdd(lock, WRITER);
#else
    while (atomicCAS(lock, 0, WRITER)) {
    }
#endif
    __threadfence();
    pair[0]++;
    pair[1]++;
    __threadfence();
#if BUG == 4
    return;
#endif
    int left = atomicAdd(lock, -WRITER);
    assert(left >= WRITER && left < WRITER + (int)gridDim.x);
    return;
  }
  begin_read(lock);
  out[blockIdx.x] = pair[0] - pair[1];
  __threadfence();
  int before = atomicAdd(lock, -1);
  assert(before > 0);
}
