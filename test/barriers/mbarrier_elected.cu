// One lane arrives for its warp.  What the other lanes did before is ordered by
// __syncwarp, what they do after the wait by the wait of each.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the lane does not wait for its warp
// bug 2:    deadlock   all lanes arrive where one is expected
// bug 3:    racy       one lane waits for its warp, which does not wait for it

#include "mbarrier.h"

enum { ROUNDS = 4 };

__global__ void __launch_bounds__(64) pipe(const float *in, float *out) {
  __shared__ unsigned long long full, empty;
  __shared__ float cell[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 1);
  }
  __syncthreads();
  for (int i = 0; i < ROUNDS; i++) {
    if (threadIdx.x < 32) {
      wait(&empty, i % 2 ^ 1);        // expect 2: deadlock
      cell[lane] = in[i * 32 + lane]; // expect 1,3: race in shared memory
      if (BUG != 1)
        __syncwarp();
      if (BUG == 2 || lane == 0)
        arrive(&full); // allow 2: too often
    } else {
      if (BUG != 3 || lane == 0)
        wait(&full, i % 2); // allow 2: deadlock
      out[i * 32 + lane] = cell[31 - lane];
      __syncwarp();
      if (lane == 0)
        arrive(&empty); // allow 1: a wait may come late
    }
  }
}
