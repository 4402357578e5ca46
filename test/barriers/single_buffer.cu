// One warp fills a buffer, one uses it up; two barriers say "empty" and "full".
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   the producer does not wait for "empty"
// bug 2:    racy       the consumer does not wait for "full"
// bug 3:    deadlock   the consumer never says "empty"
// bug 4:    deadlock   it expects 96 threads at "full"
// possible 1,2,4: what follows from a mistake, and is only seen behind it

#include "named.h"

enum { EMPTY = 1, FULL = 2, ROUNDS = 8 };

__global__ void __launch_bounds__(64) pipe(const float *in, float *out) {
  __shared__ float cell[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < ROUNDS; i++) {
#if BUG != 1
      bar_sync(EMPTY, 64); // allow 2,3,4: deadlock
#endif
      cell[lane] = in[i * 32 + lane]; // expect 2: race in shared memory
      bar_arrive(FULL, 64);           // allow 1,2: comes twice
    }
  } else {
    for (int i = 0; i < ROUNDS; i++) {
#if BUG != 1 && BUG != 3
      bar_arrive(EMPTY, 64); // allow 2: comes twice
#endif
#if BUG == 4
      bar_sync(FULL, 96); // expect 4: different numbers
#elif BUG != 2
      bar_sync(FULL, 64); // expect 1,3: deadlock
#endif
      out[i * 32 + lane] = cell[31 - lane];
    }
  }
}
