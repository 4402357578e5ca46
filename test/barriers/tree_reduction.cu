// A sum by halves: in each step those who give arrive and leave, those who take
// wait, and the count is halved.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the step after the first has no barrier
// bug 2:    deadlock   the count is not halved
// bug 3:    deadlock   those who give do not arrive

#include "named.h"

__global__ void __launch_bounds__(256) total(const int *in, int *out) {
  __shared__ int cell[256];
  int t = threadIdx.x, sum = in[t];
  for (int half = 128; half >= 32; half /= 2) {
    int barrier = 1 + half / 32;
#if BUG == 2
    int threads = 256;
#else
    int threads = 2 * half;
#endif
    if (t >= half) {
      cell[t] = sum; // expect 1: race in shared memory
#if BUG == 1
      if (half == 128)
#endif
#if BUG != 3
        bar_arrive(barrier, threads);
#endif
      return;
    }
#if BUG == 1
    if (half == 128)
#endif
      bar_sync(barrier, threads); // expect 2,3: deadlock
    sum += cell[t + half];
  }
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (t == 0)
    *out = sum;
}
