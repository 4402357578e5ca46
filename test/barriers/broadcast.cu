// One warp writes for seven others, which then answer all at once.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       an answer is read before all are there
// bug 2:    deadlock   one of the seven is not counted
// possible 2: what follows from a mistake, and is only seen behind it

#include "named.h"

enum { ALL = 256, ASKED = 1, ANSWERED = 2, ROUNDS = 3 };

__global__ void __launch_bounds__(ALL) ask(int *out) {
  __shared__ int question[32], answer[7][32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < ROUNDS; i++)
    if (warp == 0) {
      question[lane] = i;
#if BUG == 2
      bar_arrive(ASKED, ALL - 32);
#else
      bar_arrive(ASKED, ALL);
#endif
#if BUG == 1
      out[lane] += answer[0][lane]; // expect 1: race in shared memory
#endif
      bar_sync(ANSWERED, ALL); // allow 2: deadlock
      for (int k = 0; k < 7; k++)
        out[lane] += answer[k][lane];
    } else {
      bar_sync(ASKED, ALL); // expect 2: different numbers
      answer[warp - 1][lane] = question[31 - lane] * warp;
      bar_arrive(ANSWERED, ALL);
    }
}
