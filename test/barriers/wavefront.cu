// A wave over the rows of a matrix: a warp does a column block of a row when
// the warp before it has done that of the same row.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       it waits in the first row only
// bug 2:    deadlock   the first warp waits, too
// possible 1: what follows from a mistake, and is only seen behind it

#include "named.h"

enum { WARPS = 4, ROWS = 6 };

__global__ void __launch_bounds__(32 * WARPS) wave(int *out) {
  __shared__ int cell[ROWS][32 * WARPS];
  int t = threadIdx.x, warp = t / 32;
  for (int row = 0; row < ROWS; row++) {
    int left = 0;
    if (row > 0)
      left = cell[row - 1][t];
#if BUG == 2
    if (warp >= 0)
#elif BUG == 1
    if (warp > 0 && row == 0)
#else
    if (warp > 0)
#endif
      bar_sync(8 + warp, 64); // expect 2: deadlock
    if (warp > 0)
      left += cell[row][t - 32];
    cell[row][t] = left + 1; // expect 1: race in shared memory
    if (warp + 1 < WARPS) {
      bar_arrive(9 + warp, 64); // allow 1: barrier
      bar_sync(1 + warp, 64);   // allow 1,2: deadlock
    }
    if (warp > 0)
      bar_arrive(warp, 64); // allow 1: barrier
  }
  out[t] = cell[ROWS - 1][t];
}
