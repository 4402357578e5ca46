// A warp's asynchronous copies arrive at the mbarrier that others wait at.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       it arrives before its copies do
// bug 2:    racy       it copies again before the buffer is empty
// bug 3:    deadlock   the arrivals are those of one lane
// bug 4:    racy       it waits for a parity that comes in every third round

#include "mbarrier.h"

enum { ROUNDS = 4 };

__global__ void __launch_bounds__(64) pipe(const float *in, float *out) {
  __shared__ unsigned long long full, empty;
  __shared__ float cell[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    init(&full, 32);
    init(&empty, 32);
  }
  __syncthreads();
  for (int i = 0; i < ROUNDS; i++) {
    if (threadIdx.x < 32) {
      if (BUG != 2)
        wait(&empty, i % (BUG == 4 ? 3 : 2) ^ 1); // expect 3: deadlock
      copy(&cell[lane], &in[i * 32 + lane]); // expect 1,2,4: race
      if (BUG == 1)
        arrive(&full);
      else if (BUG != 3 || lane == 0)
        arrive_copied(&full); // allow 2,4: too often
    } else {
      wait(&full, i % 2); // allow 2,3,4: deadlock
      out[i * 32 + lane] = cell[31 - lane];
      arrive(&empty);
    }
  }
}
