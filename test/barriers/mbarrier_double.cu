// Two buffers, each with its mbarriers: while one is filled the other one is
// used up.  A parity is good for both buffers, then comes the other.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       both say "full" and "empty" of the first buffer
// bug 2:    deadlock    the parity changes with each buffer
// bug 3:    deadlock   the consumer's last round is missing for one buffer

#include "mbarrier.h"

enum { ROUNDS = 8 };

__global__ void __launch_bounds__(128) pipe(const float *in, float *out) {
  __shared__ unsigned long long full[2], empty[2];
  __shared__ float cell[2][64];
  int t = threadIdx.x % 64;
  if (threadIdx.x < 2) {
    init(&full[threadIdx.x], 64);
    init(&empty[threadIdx.x], 64);
  }
  __syncthreads();
  for (int i = 0; i < ROUNDS; i++) {
    int buffer = i % 2, parity = BUG == 2 ? i % 2 : i / 2 % 2;
    int place = BUG == 1 ? 0 : buffer;
    if (threadIdx.x < 64) {
      wait(&empty[buffer], parity ^ 1); // expect 2,3: deadlock
      cell[place][t] = in[i * 64 + t];  // expect 1: race in shared memory
      arrive(&full[buffer]);
    } else {
      wait(&full[buffer], parity); // allow 3: deadlock
      out[i * 64 + t] = cell[place][63 - t];
      if (BUG != 3 || i != 3)
        arrive(&empty[buffer]); // allow 2: too often
    }
  }
}
