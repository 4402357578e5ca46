// Which of a few numbers of an element a thread writes, data decide: no thread
// leaves its element.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, no-alias, termination
// bug 1:    racy   an element has fewer numbers
// bug 2:    racy   two choices have the same weight, and lead further
#include "gpuverify.h"

__global__ void nearest(int n, int radius, const int *xyz, int *out) {
  size_t i = threadIdx.x;
  if (i >= n)
    return;
  int x = xyz[i * 3], y = xyz[i * 3 + 1], z = xyz[i * 3 + 2];
  for (int j = 0; j < n; j++) {
    int tx = xyz[j * 3], ty = xyz[j * 3 + 1], tz = xyz[j * 3 + 2];
    if (tx > x + radius || ty > y + radius || tz > z + radius)
      continue;
    int octant = (tx > x) * 4 + (ty > y) * (BUG == 2 ? 4 : 2) + (tz > z);
    out[i * (BUG == 1 ? 7 : 8) + octant] = j; // expect 1,2: race on 'out'
  }
}
