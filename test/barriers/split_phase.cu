// Arrive, do something else, then wait: each side has a barrier at which the
// other one arrives, and another one for every second round.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       something else is the cell that the others read
// bug 2:    divergent  the same two in every round

#include "named.h"

enum { ROUNDS = 4 };

__global__ void __launch_bounds__(128) swap(const int *in, int *out) {
  __shared__ int cell[2][128];
  int t = threadIdx.x, side = t / 64;
  for (int i = 0; i < ROUNDS; i++) {
#if BUG == 2
    int own = 1 + side, other = 2 - side;
#else
    int own = 1 + side + i % 2 * 2, other = 2 - side + i % 2 * 2;
#endif
    int *cells = cell[i % 2];
    cells[t] = in[i * 128 + t];
    bar_arrive(other, 128); // expect 2: recycled too early
#if BUG == 1
    cells[t] += 1; // expect 1: race in shared memory
#endif
    bar_sync(own, 128);
    out[i * 128 + t] = cells[127 - t];
  }
}
