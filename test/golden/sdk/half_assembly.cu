// Halves as the CUDA SDK's own header computes them: in assembly, with atomics.
//
// args:     --blockDim=64 --gridDim=2
// needs:    cuda
// verdict:  verified
// bug 1:    racy       a sum is read while others add to it
// bug 2:    racy       an index that was a half is any number

#include <cuda_fp16.h>

__global__ void add(__half2 *pair, __half *sum, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, place = i;
  __half one = hsin(__float2half(1.0f + i));
  __half2 both = __hfma2_relu(__half2half2(one), __half2half2(one), __half2half2(one));
  __half2 old = atomicAdd(pair, both);
  atomicAdd(sum, one);
#if BUG == 1
  one = *sum; // expect 1: race on 'sum'
#endif
#if BUG == 2
  place = __half2int_rn(one) & 127;
#endif
  out[place] = __half2float(one) + __low2float(old) + i; // expect 2: race
}
