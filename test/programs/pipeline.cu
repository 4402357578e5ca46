// Copies in the background, by the C functions of the SDK.
//
// args:     --detect=races
// prints:   pipeline: 0 wrong
// verdict:  passed
// bug 1:    racy        a stage is read before it has come
// bug 2:    racy        a stage is filled again while others still read it
// bug 3:    divergent   the mbarrier is used when it is gone

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>
#include <stdio.h>

__global__ void stages(const float *in, float *out, int rounds) {
  __shared__ float stage[2][64];
  int i = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&stage[0][i], in + i, sizeof(float));
  __pipeline_commit();
  for (int n = 0; n < rounds; n++) {
    if (n + 1 < rounds)
      __pipeline_memcpy_async(&stage[(n + 1) % 2][i], in + 64 * (n + 1) + i,
                              sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(BUG == 1 ? 2 : 1);
    __syncthreads();
    sum += stage[n % 2][63 - i]; // says 1,2: reads stage
    if (BUG != 2)
      __syncthreads();
  }
  out[i] = sum;
}

__global__ void phases(const float *in, float *out) {
  __shared__ __mbarrier_t barrier;
  __shared__ float cell[64];
  int i = threadIdx.x;
  if (i == 0)
    __mbarrier_init(&barrier, 64);
  __syncthreads();
  for (int n = 0; n < 4; n++) {
    cell[i] = in[64 * n + i];
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    out[i] += cell[63 - i];
    __syncthreads();
  }
  unsigned alike = __nvvm_match_any_sync_i64(0xffffffffu, (unsigned long long)(i / 4)
                                                     << 32);
  if (alike != 15u << i % 32 / 4 * 4)
    out[i] = -1;
  if (i == 0)
    __mbarrier_inval(&barrier);
  if (BUG == 3 && i == 0)
    __mbarrier_arrive(&barrier);
}

int main() {
  float *in, *out;
  int wrong = 0;
  cudaMallocManaged((void **)&in, 256 * sizeof *in);
  cudaMallocManaged((void **)&out, 64 * sizeof *out);
  for (int i = 0; i < 256; i++)
    in[i] = (float)i;
  stages<<<1, 64>>>(in, out, 4);
  phases<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++)
    wrong += out[i] != 2 * (4 * (63 - i) + 384);
  printf("pipeline: %d wrong\n", wrong);
  return 0;
}
