// One warp fills a buffer, one uses it up; two mbarriers say "empty" and
// "full".  The first wait for "empty" is for the phase before the first.
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   the producer never says "full"
// bug 2:    racy       the consumer does not wait for "full"
// bug 3:    deadlock   "full" expects both warps
// bug 4:    deadlock   the producer waits for the first phase of "empty"
// bug 5:    deadlock   the consumer forgets that phases alternate
// bug 6:    racy       the consumer says "empty" before it reads

#include "mbarrier.h"

enum { ROUNDS = 6 };

__global__ void __launch_bounds__(64) pipe(const float *in, float *out) {
  __shared__ unsigned long long full, empty;
  __shared__ float cell[32];
  int lane = threadIdx.x % 32, parity = 0;
  if (threadIdx.x == 0) {
    init(&full, BUG == 3 ? 64 : 32);
    init(&empty, 32);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int i = 0; i < ROUNDS; i++) {
      int before = BUG == 4 ? parity : parity ^ 1;
      wait(&empty, before);           // expect 1,2,3,4,5: deadlock
      cell[lane] = in[i * 32 + lane]; // expect 2,6: race
      if (BUG != 1)
        arrive(&full);
      parity ^= 1;
    }
  } else {
    for (int i = 0; i < ROUNDS; i++) {
      if (BUG != 2)
        wait(&full, parity); // allow 1,3,4: deadlock
      if (BUG == 6)
        arrive(&empty);
      out[i * 32 + lane] = cell[31 - lane];
      if (BUG != 6)
        arrive(&empty); // allow 2,5: too often
      if (BUG != 5)
        parity ^= 1;
    }
  }
}
