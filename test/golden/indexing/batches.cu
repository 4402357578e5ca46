// A block has an array of its own in a large one, of n elements of a few numbers
// each.  All of it is computed in 32 bits.
//
// args:     --ladder=no-signed-overflow,sizes-fit
// verdict:  verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, termination, no-signed-overflow, sizes-fit
// bug 1:    racy, verified   an element has one number more
// bug 2:    racy, verified   there is one element more
// bug 3:    racy, verified   the arrays of two blocks overlap
// bug 4:    verified, racy   the halves of a block's array overlap
#include "gpuverify.h"

__global__ void fill(int n, int *out) {
  int batch = blockIdx.x;
  out += batch * n * (BUG == 3 ? 7 : 8);
  for (int i = threadIdx.x; i < n + (BUG == 2); i += blockDim.x)
    for (int j = 0; j < 8 + (BUG == 1); j++)
      out[i * 8 + j] = i; // expect 1,2,3: race on 'out'
}

__global__ void halves(int n, int *out) {
  int batch = blockIdx.x, half = blockIdx.y;
  if (half > 1)
    return;
  out += batch * n * 8 + half * n * 4;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    for (int j = 0; j < (BUG == 4 ? 8 : 4); j++)
      out[i * (BUG == 4 ? 8 : 4) + j] = i; // expect 4: race on 'out'
}
