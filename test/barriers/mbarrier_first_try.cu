// A first try that asks whether to wait at all, and a loop that counts how
// often it had to: neither changes what the threads do.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the only try, and nobody looks at what it says
// bug 2:    unknown    something else is done until the phase is over
// bug 3:    unknown    how often it had to wait decides where to write

#include "mbarrier.h"

__global__ void __launch_bounds__(64) pass_on(const int *in, int *out) {
  __shared__ unsigned long long full;
  __shared__ int cell[64];
  int t = threadIdx.x, tries = 0;
  if (t == 0)
    init(&full, 64);
  __syncthreads();
  cell[t] = in[t]; // expect 1: race in shared memory
  arrive(&full);
#if BUG == 1
  try_wait(&full, 0);
#elif BUG == 2
  while (!try_wait(&full, 0)) // expect 2: decides about
    cell[t]++;
#else
  if (!try_wait(&full, 0)) // expect 3: decides about
    while (!try_wait(&full, 0))
      if (++tries > 16)
        __nanosleep(20);
#endif
  out[t] = cell[BUG == 3 ? tries % 64 : 63 - t];
}
