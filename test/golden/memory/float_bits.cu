// The same cells as floats and as integers.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       reads another thread's bits without a barrier

__global__ void bits(const float *in, unsigned *out) {
  __shared__ float value[64];
  int t = threadIdx.x;
  value[t] = in[t];
#if BUG != 1
  __syncthreads();
#endif
  out[t] = ((unsigned *)value)[t ^ 8]; // expect 1: read-write race on 'value'
}
