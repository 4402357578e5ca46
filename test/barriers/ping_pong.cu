// Two groups of warps take turns: while one is at work in the shared cells the
// other one prepares.
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   nobody lets the first group begin
// bug 2:    racy       the second group does not wait for its turn
// bug 3:    deadlock   each names its own barrier
// possible 2,3: what follows from a mistake, and is only seen behind it

#include "named.h"

enum { GROUP = 64, ALL = 2 * GROUP, ROUNDS = 4, TURN = 1 };

__global__ void __launch_bounds__(ALL) turns(const float *in, float *out) {
  __shared__ float cell[GROUP];
  int group = threadIdx.x / GROUP, t = threadIdx.x % GROUP;
  int own = TURN + group, other = TURN + 1 - group;
#if BUG == 3
  other = own;
#endif
#if BUG != 1
  if (group == 1)
    bar_arrive(other, ALL); // allow 3: twice
#endif
  for (int i = 0; i < ROUNDS; i++) {
    float value = in[i * ALL + threadIdx.x];
#if BUG == 2
    if (group == 0)
#endif
      bar_sync(own, ALL); // expect 1,2,3: deadlock
    cell[t] = value;      // expect 2: write-write race in shared memory
    bar_sync(3 + group, GROUP);
    out[i * ALL + threadIdx.x] = cell[GROUP - 1 - t];
    if (group == 0 || i + 1 < ROUNDS)
      bar_arrive(other, ALL); // allow 2,3: barrier
  }
}
