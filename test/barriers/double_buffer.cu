// Two buffers: while one is filled the other one is used up.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       both say "full" of the first buffer
// bug 2:    racy       the consumer says "empty" before it reads

#include "named.h"

enum { ROUNDS = 6 };

__global__ void __launch_bounds__(128) pipe(const float *in, float *out) {
  __shared__ float cell[2][64];
  int t = threadIdx.x % 64;
  for (int i = 0; i < ROUNDS; i++) {
    int buffer = i % 2, empty = 1 + buffer, full = 3 + buffer;
    if (threadIdx.x < 64) {
      if (i >= 2)
        bar_sync(empty, 128);
#if BUG == 1
      cell[0][t] = in[i * 64 + t]; // expect 1: race in shared memory
#else
      cell[buffer][t] = in[i * 64 + t]; // expect 2: race in shared memory
#endif
      bar_arrive(full, 128);
    } else {
      bar_sync(full, 128);
#if BUG == 2
      if (i + 2 < ROUNDS)
        bar_arrive(empty, 128);
#endif
#if BUG == 1
      out[i * 64 + t] = cell[0][63 - t];
#else
      out[i * 64 + t] = cell[buffer][63 - t];
#endif
#if BUG != 2
      if (i + 2 < ROUNDS)
        bar_arrive(empty, 128);
#endif
    }
  }
}
