// Computing warps ask for the next plane of a stencil when the present one is
// used up.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       they ask while they still read
// bug 2:    racy       the first plane is read before it is there

#include "named.h"

enum { COMPUTE = 64, ALL = 96, RADIUS = 2, PLANES = 6, ASK = 1, READY = 2 };

__global__ void __launch_bounds__(ALL) stencil(const float *in, float *out) {
  __shared__ float plane[COMPUTE + 2 * RADIUS];
  int t = threadIdx.x;
  if (t >= COMPUTE) {
    for (int z = 0; z < PLANES; z++) {
#if BUG == 2
      if (z > 0)
#endif
        bar_sync(ASK, ALL); // allow 2: deadlock
      for (int i = t - COMPUTE; i < COMPUTE + 2 * RADIUS; i += 32)
        plane[i] = in[z * (COMPUTE + 2 * RADIUS) + i]; // expect 1,2: race
      bar_arrive(READY, ALL);                          // allow 2: twice
    }
    return;
  }
#if BUG != 2
  bar_arrive(ASK, ALL);
#endif
  for (int z = 0; z < PLANES; z++) {
#if BUG == 2
    if (z > 0)
#endif
      bar_sync(READY, ALL); // allow 2: barrier
#if BUG == 1
    if (z + 1 < PLANES)
      bar_arrive(ASK, ALL);
#endif
    float sum = 0;
    for (int j = -RADIUS; j <= RADIUS; j++)
      sum += plane[t + RADIUS + j];
    out[z * COMPUTE + t] = sum;
#if BUG != 1
    if (z + 1 < PLANES)
      bar_arrive(ASK, ALL);
#endif
  }
}
