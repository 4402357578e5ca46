// The parity is turned by a complement, as Triton does it: of such a number the
// lowest bit counts.
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   the producer begins with the parity of the consumer
// bug 2:    deadlock   the consumer's goes on in steps of two

#include "mbarrier.h"

enum { ROUNDS = 5 };

__global__ void __launch_bounds__(64) pipe(const int *in, int *out) {
  __shared__ unsigned long long full, empty;
  __shared__ int cell[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    init(&full, 32);
    init(&empty, 32);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    int parity = BUG == 1 ? 0 : -1;
    for (int i = 0; i < ROUNDS; i++, parity = ~parity) {
      wait(&empty, parity);           // expect 1,2: deadlock
      cell[lane] = in[i * 32 + lane];
      arrive(&full);                 
    }
  } else {
    int parity = 0;
    for (int i = 0; i < ROUNDS; i++, parity = BUG == 2 ? parity + 2 : ~parity) {
      wait(&full, parity); // allow 1,2: deadlock
      out[i * 32 + lane] = cell[31 - lane];
      arrive(&empty); // allow 2: too early
    }
  }
}
