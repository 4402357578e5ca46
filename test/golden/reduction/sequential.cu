// Sums a block with strides 128, 64, .. 1.
//
// args:     --blockDim=256 --gridDim=16
// verdict:  verified
// bug 1:    racy       no barrier in the loop
// bug 2:    racy       one thread too many is active
// bug 3:    racy       the first barrier is missing

__global__ void reduce(const int *in, int *out) {
  __shared__ int sum[256];
  unsigned t = threadIdx.x;
  sum[t] = in[blockIdx.x * 256 + t];
#if BUG != 3
  __syncthreads();
#endif
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
#if BUG == 2
    if (t <= s && t + s < 256)
#else
    if (t < s)
#endif
      sum[t] += sum[t + s]; // expect 1,2,3: race on 'sum'
#if BUG != 1
    __syncthreads();
#endif
  }
  if (t == 0)
    out[blockIdx.x] = sum[0];
}
