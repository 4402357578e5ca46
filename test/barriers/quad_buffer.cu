// Four buffers between two producer warps and two consumer warps; which
// barriers a round uses is computed in the loop.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       only three buffers are there
// bug 2:    racy       nobody waits for "empty"
// bug 3:    deadlock   "empty" is never said for the first rounds' buffers
// possible 2: what follows from a mistake, and is only seen behind it

#include "named.h"

enum { BUFFERS = 4, ROUNDS = 11, THREADS = 128 };

__global__ void __launch_bounds__(THREADS) pipe(const float *in, float *out) {
  __shared__ float cell[BUFFERS][64];
  int t = threadIdx.x % 64;
  for (int i = 0; i < ROUNDS; i++) {
    int buffer = i % BUFFERS, full = 1 + buffer, empty = full + BUFFERS;
#if BUG == 1
    float *cells = cell[i % 3];
#else
    float *cells = cell[buffer];
#endif
    if (threadIdx.x < 64) {
#if BUG == 3
      bar_sync(empty, THREADS); // expect 3: deadlock
#elif BUG != 2
      if (i >= BUFFERS)
        bar_sync(empty, THREADS);
#endif
      cells[t] = in[i * 64 + t]; // expect 1,2: race in shared memory
      bar_arrive(full, THREADS); // expect 2: comes twice
    } else {
      bar_sync(full, THREADS); // allow 2,3: deadlock
      out[i * 64 + t] = cells[63 - t];
#if BUG != 2
      if (i + BUFFERS < ROUNDS)
        bar_arrive(empty, THREADS);
#endif
    }
  }
}
