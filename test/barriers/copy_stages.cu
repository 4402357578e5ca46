// Three buffers that asynchronous copies fill: two are on their way while the
// third is used up.  A thread waits for its own copies, then the barrier tells
// the others.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       it waits for one group too few
// bug 2:    racy       the barrier stands before the wait
// bug 3:    racy       the next copy is for the buffer that is being read
// bug 4:    racy       no group is closed where there is nothing to copy

#include "mbarrier.h"

enum { STAGES = 3, ROUNDS = 7 };

__global__ void __launch_bounds__(64) stages(const int *in, int *out) {
  __shared__ int cell[STAGES][64];
  int t = threadIdx.x;
  for (int i = 0; i < STAGES - 1; i++) {
    copy(&cell[i][t], &in[i * 64 + t]);
    commit();
  }
  for (int i = 0; i < ROUNDS; i++) {
#if BUG == 1
    wait_group(2);
#elif BUG != 2
    wait_group(1);
#endif
    __syncthreads();
#if BUG == 2
    wait_group(1);
#endif
    int next = i + STAGES - 1;
    if (next < ROUNDS)
      copy(&cell[(BUG == 3 ? i : next) % STAGES][t], &in[next * 64 + t]);
    if (BUG != 4 || next < ROUNDS)
      commit();
    out[i * 64 + t] = cell[i % STAGES][63 - t]; // expect 1,2,3,4: race
  }
}
