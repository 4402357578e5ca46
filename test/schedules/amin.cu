// The minimum of doubles, by compare and swap of their 64 bits.
//
// The mistake: the value is read again between the test and the swap, so a
// smaller one that was stored in between is overwritten.
//
// cells 2 pa:  TP TP TN TN
// cells 2 fc:  TP TP TN TN
// cells 3 pa:  TP TP TN TN
// cells 3 fc:  TP TP TN TN
// verdict:     passed
// bug 1:       schedule-dependent   the value is read twice

#include <assert.h>

__device__ void lower_to(double *at, double value) {
  unsigned long long *bits = (unsigned long long *)at;
  unsigned long long mine = __double_as_longlong(value);
#if BUG == 1
  if (value < *(volatile double *)at) {
    unsigned long long old = *(volatile unsigned long long *)bits;
    atomicCAS(bits, old, mine);
  }
#else
  unsigned long long old = *(volatile unsigned long long *)bits;
  while (value < __longlong_as_double(old)) {
    unsigned long long seen = atomicCAS(bits, old, mine);
    if (seen == old)
      break;
    old = seen;
  }
#endif
}

__global__ void aMin(double *least, const double *values) {
  double value = values[blockIdx.x];
  lower_to(least, value);
  assert(*(volatile double *)least <= value);
}
