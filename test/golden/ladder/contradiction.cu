// What is required says that an argument is negative, so it is not assumed that
// it is none: all that is wrong stays so.
//
// args:     --ladder=all --blockDim=64 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, requires
// bug 1:    racy     all threads write one cell
// bug 2:    racy     whoever comes to the end has a negative argument
#include <gpuverify.h>
__global__ void fill(int *cell, int start) {
#if BUG != 2
  __requires(start < 0);
#endif
  int t = threadIdx.x;
#if BUG == 1
  if (start < 0)
    cell[0] = t; // expect 1: possible write-write race on 'cell'
#elif BUG == 2
  while (start >= 0)
    cell[t]++;
  cell[0] = t; // expect 2: possible write-write race on 'cell'
#else
  cell[t] = start;
#endif
}
