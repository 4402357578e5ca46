// Each thread adds two elements while loading, then the block sums.
//
// args:     --blockDim=128 --gridDim=32
// verdict:  verified
// bug 1:    racy       the result of each block goes to one place

__global__ void reduce(const float *in, float *out, unsigned n) {
  __shared__ float sum[128];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * (blockDim.x * 2) + t;
  sum[t] = i < n ? in[i] : 0;
  if (i + 128 < n)
    sum[t] += in[i + 128];
  __syncthreads();
  for (unsigned s = 64; s > 0; s >>= 1) {
    if (t < s)
      sum[t] += sum[t + s];
    __syncthreads();
  }
#if BUG == 1
  if (t == 0)
    out[0] = sum[0]; // expect 1: write-write race on 'out'
#else
  if (t == 0)
    out[blockIdx.x] = sum[0];
#endif
}
