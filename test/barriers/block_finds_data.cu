// The number of the block says which data it works on and nothing else: one block
// stands for any, of however many.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy   it says whether there is a barrier, too

#include "named.h"

__global__ void __launch_bounds__(64) slice(const float *in, float *out, int n) {
  __shared__ float cell[64];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  cell[threadIdx.x] = at < n ? in[at] : 0; // expect 1: race in shared memory
#if BUG == 1
  if (blockIdx.x == 0)
#endif
    bar_sync(1, 64);
  out[at] = cell[63 - threadIdx.x];
}
