// The number of the block says which data it works on and nothing else: one block
// stands for any, of however many.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy   what it says may be where in shared memory, too

#include "named.h"

__global__ void __launch_bounds__(64) slice(const float *in, float *out, int n) {
  __shared__ float cell[64];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  cell[blockIdx.x ? 0 : threadIdx.x] = in[at]; // expect 1: race in shared memory
#else
  cell[threadIdx.x] = at < n ? in[at] : 0;
#endif
  bar_sync(1, 64);
  if (at < n)
    out[at] = cell[63 - threadIdx.x];
}
