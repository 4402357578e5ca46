// A ring of four buffers: stage and parity go on together, and the parity
// changes where the ring begins again.  Two warps use up what one fills.
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   the parity changes one stage too early
// bug 2:    racy       one of the two consumers waits when it has read
// bug 3:    deadlock   a buffer is "empty" when one consumer says so
// bug 4:    deadlock   a buffer is "empty" when four warps say so

#include "mbarrier.h"

enum { STAGES = 4, ROUNDS = 10 };

__global__ void __launch_bounds__(96) pipe(const int *in, int *out) {
  __shared__ unsigned long long full[STAGES], empty[STAGES];
  __shared__ int cell[STAGES][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < STAGES; i++) {
      init(&full[i], 32);
      init(&empty[i], BUG == 3 ? 32 : BUG == 4 ? 128 : 64);
    }
  __syncthreads();
  int stage = 0, parity = 0;
  for (int i = 0; i < ROUNDS; i++) {
    if (warp == 0) {
      wait(&empty[stage], parity ^ 1);       // expect 1,3,4: deadlock
      cell[stage][lane] = in[i * 32 + lane]; // expect 2: race
      arrive(&full[stage]);
    } else {
      bool is_late = BUG == 2 && warp == 2;
      if (!is_late)
        wait(&full[stage], parity); // allow 1,3,4: deadlock
      out[(i * 2 + warp - 1) * 32 + lane] = cell[stage][31 - lane];
      if (is_late)
        wait(&full[stage], parity);
      arrive(&empty[stage]); // allow 3: too often
    }
    stage++;
    if (stage == STAGES)
      stage = 0;
    if (stage == (BUG == 1 && warp == 1 ? STAGES - 1 : 0))
      parity ^= 1;
  }
}
