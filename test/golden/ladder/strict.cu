// With --strict nothing is proved by an assumption that was not asked for.
//
// args:     --ladder=all --blockDim=64 --gridDim=1 --strict
// verdict:  verified
// assumes:  launch-limits
// bug 1:    racy  the start may be negative
#include <gpuverify.h>
__global__ void clear(int *cell, int start) {
  int t = threadIdx.x;
#if BUG == 1
  if (start < 0)
    cell[0] = t; // expect 1: possible write-write race on 'cell'
#endif
  cell[t + 1] = start;
}
