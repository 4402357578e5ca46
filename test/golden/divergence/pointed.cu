// A function that the host passes: one that waits, or another one.
//
// args:     --blockDim=64 --gridDim=2 --only-divergence --exited-threads=error
// verdict:  verified
// bug 1:    unknown    it may be a function of which nothing is known
// bug 2:    divergent  some threads call it, others do not

#include "gpuverify.h"

typedef int (*Step)(int);

__shared__ int tile[64];

__device__ int plain(int t) { return t; }

__device__ int mirrored(int t) {
  tile[t] = t;
  __syncthreads(); // expect 2: barrier divergence
  return tile[63 - t];
}

__global__ void apply(int *out, Step step, int n) {
#if BUG != 1
  __requires(step == plain | step == mirrored);
#endif
  int t = threadIdx.x;
  if (BUG != 2 || t < n)
    out[blockIdx.x * 64 + t] = step(t); // expect 1: call
}
