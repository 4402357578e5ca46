// The least value and who has it.
//
// Both go into one word of 64 bits, the value above the index.  The mistakes:
// the index is stored after the minimum, in a step of its own, by an atomic or
// by a plain write.  Delays at conflicts with a conditional atomic alone do not
// find the plain one.
//
// cells 2 pa:  TP TP TN TN
// cells 2 fc:  TP TP TN TN
// cells 3 pa:  TP TP TN TN
// cells 3 fc:  TP TP TN TN
// case:        assertion  2 2 --check=assert
// case:        passed     2 2 --check=assert --select=conditional
// verdict:     passed
// bug 1:       assertion   the index is swapped in by a step of its own
// bug 2:       assertion   the same by a plain write

#include <assert.h>

__global__ void aMinUpdate(int *least, int *owner, unsigned long long *both,
                           unsigned *done, const int *values) {
  int me = blockIdx.x, value = values[me];
#if BUG == 1
  int old = atomicMin(least, value), seen = *(volatile int *)owner; // says 1: waits before
  while (value < old && seen != me) {
    int now = atomicCAS(owner, seen, me);
    seen = now == seen ? me : now;
  }
#elif BUG == 2
  int old = atomicMin(least, value);
  if (value < old)
    *owner = me; // says 2: waits before it writes owner[0]
#else
  atomicMin(both, (unsigned long long)value << 32 | (unsigned)me);
#endif
  __threadfence();
  if (atomicAdd(done, 1) != gridDim.x - 1)
    return;
#if BUG == 0
  *least = (int)(*both >> 32);
  *owner = (int)(*both & 0xffffffff);
#endif
  assert(values[*owner] == *least); // says 1,2: assertion failed
}
