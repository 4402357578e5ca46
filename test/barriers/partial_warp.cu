// 80 threads are three warps; at a barrier the last one counts as a whole.
//
// technique: barriers
// verdict:  verified
// bug 1:    unknown    it is counted as 16 threads
// bug 2:    racy       the first warp also clears cells that are read

#include "named.h"

__global__ void __launch_bounds__(80) swap(int *out) {
  __shared__ int cell[96];
  int t = threadIdx.x;
  cell[t] = t;
#if BUG == 1
  bar_sync(1, 80);
#else
  bar_sync(1, 96);
#endif
#if BUG == 2
  if (t < 32)
    cell[95 - t] = 0; // expect 2: race in shared memory
#endif
  out[t] = cell[79 - t];
}
