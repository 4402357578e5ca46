// Four warps compute, one does nothing but load for them, four floats a lane
// and a row at a time with a stride between rows.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the next transfer begins before the last use
// bug 2:    deadlock   the loader counts itself only once
// bug 3:    racy       rows overlap
// bug 4:    deadlock   nobody waits for the transfer
// possible 2,4: what follows from a mistake, and is only seen behind it

#include "named.h"

enum {
  ROWS = 4,
  COLUMNS = 128,
#if BUG == 3
  STRIDE = COLUMNS - 4,
#else
  STRIDE = COLUMNS + 4,
#endif
  COMPUTE = 128,
  ALL = COMPUTE + 32,
  START = 1,
  DONE = 2,
  ROUNDS = 5
};

__device__ void load(float *to, const float4 *from) {
  int lane = threadIdx.x - COMPUTE;
  for (int row = 0; row < ROWS; row++)
    *(float4 *)&to[row * STRIDE + 4 * lane] = // expect 1,3: race in shared
        from[row * (COLUMNS / 4) + lane];
}

__global__ void __launch_bounds__(ALL) columns(const float4 *in, float *out) {
  __shared__ __align__(16) float tile[ROWS * (COLUMNS + 4)];
  if (threadIdx.x >= COMPUTE) {
    for (int i = 0; i < ROUNDS; i++) {
#if BUG == 2
      bar_sync(START, COMPUTE); // allow 2: deadlock
#else
      bar_sync(START, ALL); // expect 4: deadlock
#endif
      load(tile, in + i * ROWS * (COLUMNS / 4));
      bar_arrive(DONE, ALL);
    }
    return;
  }
  bar_arrive(START, ALL); // expect 2: different numbers
  for (int i = 0; i < ROUNDS; i++) {
#if BUG != 4
    bar_sync(DONE, ALL); // allow 2: deadlock
#endif
#if BUG == 1
    if (i + 1 < ROUNDS)
      bar_arrive(START, ALL);
#endif
    float sum = 0;
    for (int row = 0; row < ROWS; row++)
      sum += tile[row * STRIDE + threadIdx.x];
    out[i * COMPUTE + threadIdx.x] = sum;
#if BUG != 1
    if (i + 1 < ROUNDS)
      bar_arrive(START, ALL); // expect 4: comes twice
#endif
  }
}
