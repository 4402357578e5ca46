// What the user assumes is named, and contradicts nothing that is required.
//
// args:     --ladder=all --blockDim=64 --gridDim=1 --assume=arguments-not-negative
// verdict:  verified
// assumes:  launch-limits, arguments-not-negative
// bug 1:    racy     the start may be zero
// bug 2:    vacuous  it is required to be negative
#include <gpuverify.h>
__global__ void clear(int *cell, int start) {
  int t = threadIdx.x;
#if BUG == 2
  __requires(start < 0);
#endif
#if BUG == 1
  if (start <= 0)
    cell[0] = t; // expect 1: possible write-write race on 'cell'
#else
  if (start < 0)
    cell[0] = t;
#endif
}
