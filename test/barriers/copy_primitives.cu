// Copies of 16 bytes, with the functions of the SDK.  The group waits at an
// mbarrier that counts its threads and, besides, their copies.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the mbarrier does not hear of the copies
// bug 2:    racy       a thread waits for its own copies alone
// bug 3:    racy       the zeros are written, too, which the copy does

#include <cuda_pipeline_primitives.h>

enum { THREADS = 32 };

__global__ void __launch_bounds__(THREADS) tile(const float4 *in, float *out) {
  __shared__ __mbarrier_t barrier;
  __shared__ __align__(16) float cell[4 * THREADS];
  int t = threadIdx.x;
  if (t == 0)
    __mbarrier_init(&barrier, THREADS);
  __syncthreads();
  // Of the last four floats two are zeros.
  __pipeline_memcpy_async(&cell[4 * t], &in[t], 16, // expect 1,2: race
                          t == THREADS - 1 ? 8 : 0);
#if BUG == 2
  __pipeline_commit();
  __pipeline_wait_prior(0);
#else
  if (BUG != 1)
    __pipeline_arrive_on(&barrier);
  if (BUG == 3 && t == 0)
    cell[4 * THREADS - 1] = 0; // expect 3: race in shared memory
  __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_try_wait(&barrier, token, 1000))
    ;
#endif
  for (int i = 0; i < 4; i++)
    out[4 * t + i] = cell[4 * (THREADS - 1 - t) + i]; // allow 1,2: race
}
