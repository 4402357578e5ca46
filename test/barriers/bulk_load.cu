// A producer fills two buffers in turn by bulk copies.
//
// technique: barriers
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx80
// verdict:  verified
// bug 1:    racy       the data are read before the wait
// bug 2:    deadlock   more bytes are announced than come
// bug 3:    racy       a buffer is filled again while it is being read
// bug 4:    racy       all lanes start a copy
// bug 5:    racy       nobody waits for the last copy
// possible 4: what follows from a mistake, and is only seen behind it

#include "bulk.h"

enum { BYTES = 128, ROUNDS = 6 };

__global__ void __launch_bounds__(64) pipe(const float *in, float *out) {
  __shared__ unsigned long long full[2], empty[2];
  __shared__ __attribute__((aligned(16))) float buffer[2][32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; i++) {
      init(&full[i], 1);
      init(&empty[i], 32);
    }
  __syncthreads();
  for (int i = 0; i < ROUNDS; i++) {
    int stage = i % 2, phase = i / 2 % 2;
    if (threadIdx.x >= 32) {
      if (BUG == 5 && i == ROUNDS - 1)
        break;
      float early = BUG == 1 ? buffer[stage][lane] : 0; // expect 1: race in
      wait(&full[stage], phase);                        // expect 2: deadlock
      if (BUG == 3)
        arrive(&empty[stage]);
      out[i * 32 + lane] =
          BUG == 1 ? early : buffer[stage][lane]; // expect 3: race
      if (BUG != 3)
        arrive(&empty[stage]);
    } else if (lane == 0 || BUG == 4) {
      wait(&empty[stage], phase ^ 1); // allow 4: what is waited for
      expect(&full[stage],            // allow 4: more than it expects
             BUG == 2 ? BYTES + 16 : BYTES);
      load(buffer[stage], // expect 4,5: shared memory
           in + i * 32, BYTES, &full[stage]);
    }
  }
}
