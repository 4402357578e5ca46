// Sums a block of any size, power of two or not: the sum may be wrong then,
// but nothing races.
//
// args:     --blockDim=* --gridDim=*
// verdict:  verified
// bug 1:    racy       one thread too many is active

extern __shared__ int sum[];

__global__ void reduce(const int *in, int *out) {
  unsigned t = threadIdx.x;
  sum[t] = in[t];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
#if BUG == 1
    if (t <= s)
#else
    if (t < s)
#endif
      sum[t] += sum[t + s]; // expect 1: read-write race on 'sum'
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sum[0];
}
