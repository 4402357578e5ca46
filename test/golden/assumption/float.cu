// Of floating-point arithmetic nothing is known but that equal operands give
// equal results.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  the operands differ from thread to thread

__global__ void smooth(float *out, const float *in, float limit) {
  __shared__ float cell[64];
  int t = threadIdx.x;
  cell[t] = in[t];
#if BUG == 1
  float left = in[t] * 2.0f;
#else
  float left = in[0] * 2.0f;
#endif
  if (left + 1.0f < limit)
    __syncthreads(); // expect 1: barrier divergence
  out[t] = cell[t];
}
