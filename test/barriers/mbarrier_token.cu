// All threads arrive and wait for the phase in which they arrived, with the
// functions of the SDK; in the end half of them have enough.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       they do not wait before they write again
// bug 2:    deadlock   those who leave do not say so
// bug 3:    deadlock   one thread more is expected

#include <cuda_awbarrier_primitives.h>

enum { THREADS = 64, ROUNDS = 3 };

__device__ __forceinline__ void arrive_and_wait(__mbarrier_t *barrier) {
  __mbarrier_token_t token = __mbarrier_arrive(barrier);
  while (!__mbarrier_test_wait(barrier, token))
    __nanosleep(20);
}

__global__ void __launch_bounds__(THREADS) shift(const int *in, int *out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int cell[THREADS];
  int t = threadIdx.x;
  if (t == 0)
    __mbarrier_init(&barrier, BUG == 3 ? THREADS + 1 : THREADS);
  __syncthreads();
  for (int i = 0; i < ROUNDS; i++) {
    cell[t] = in[i * THREADS + t]; // expect 1: race in shared memory
    arrive_and_wait(&barrier);     // expect 3: deadlock
    out[i * THREADS + t] = cell[THREADS - 1 - t];
    if (BUG != 1)
      arrive_and_wait(&barrier);
  }
  if (t >= THREADS / 2) {
    if (BUG != 2)
      __mbarrier_arrive_and_drop(&barrier);
    return;
  }
  cell[t] = t;                                           // allow 1: race
  arrive_and_wait(&barrier);                             // expect 2: deadlock
  out[ROUNDS * THREADS + t] = cell[THREADS / 2 - 1 - t]; // allow 1: race
}
