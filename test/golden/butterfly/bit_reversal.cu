// The order of an FFT's results: each index with its bits in reverse.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       one bit is lost

__global__ void reorder(const float2 *in, float2 *out) {
  unsigned i = threadIdx.x;
#if BUG == 1
  unsigned to = __brev(i) >> 27;
#else
  unsigned to = __brev(i) >> 26;
#endif
  out += 64 * blockIdx.x;
  out[to] = in[64 * blockIdx.x + i]; // expect 1: race on 'out'
}
