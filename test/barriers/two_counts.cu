// One barrier with two counts, which is right where its generations cannot
// meet.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       they can

#include "named.h"

__global__ void __launch_bounds__(128) twice(int *out) {
  __shared__ int cell[128];
  int t = threadIdx.x;
  cell[t] = t;
  bar_sync(1, 128); // allow 1: barrier 1
#if BUG != 1
  if (t < 64) {
#else
  if (t < 96) {
#endif
    int other = cell[63 - t % 64];
    bar_sync(1, 64); // expect 1: barrier 1
    cell[t] = other; // expect 1: race in shared memory
  }
  out[t] = t;
}
