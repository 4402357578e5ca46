// In round i a warp meets the one whose number differs in bit i; the name of
// the barrier is that of the pair.
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   the pair does not agree on the name
// bug 2:    racy       all pairs of a round have one name

#include "named.h"

enum { WARPS = 8 };

__global__ void __launch_bounds__(32 * WARPS) butterfly(int *out) {
  __shared__ int cell[32 * WARPS];
  int t = threadIdx.x, warp = t / 32, sum = t;
  for (int bit = 1; bit < WARPS; bit *= 2) {
    int low = warp & ~bit;
    int pair = low / (2 * bit) * bit + low % bit;
#if BUG == 1
    int barrier = 1 + warp;
#elif BUG == 2
    int barrier = 1 + bit;
#else
    int barrier = 1 + pair + (bit == 2 ? 4 : bit == 4 ? 8 : 0);
#endif
    cell[t] = sum;         // expect 2: race in shared memory
    bar_sync(barrier, 64); // expect 1,2: warp
    sum += cell[t ^ (32 * bit)];
    bar_sync(barrier, 64); // expect 2: recycled too early
  }
  out[t] = sum;
}
