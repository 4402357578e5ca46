// A kernel that includes the CUDA SDK's own headers.
//
// args:     --blockDim=64 --gridDim=4
// needs:    cuda
// verdict:  verified
// bug 1:    racy       no barrier

#include <cuda_runtime.h>
#include <math.h>

__global__ void norm(const float2 *in, float *out) {
  __shared__ float length[64];
  unsigned t = threadIdx.x;
  length[t] = sqrtf(in[t].x * in[t].x + in[t].y * in[t].y);
#if BUG != 1
  __syncthreads();
#endif
  atomicAdd(&out[t], fmaxf(length[t], length[t ^ 1])); // expect 1: race on
}
