// Sums any number of elements: a grid-stride loop, then the unrolled steps
// that the block size, a template argument, leaves.
//
// verdict:  verified
// bug 1:    racy       an unrolled step lacks its barrier

template <unsigned size>
__global__ void reduce(const int *in, int *out, unsigned n) {
  __shared__ int sum[size];
  unsigned t = threadIdx.x, total = 0;
  unsigned long long i = blockIdx.x * size + t;
  for (; i < n; i += size * gridDim.x)
    total += in[i];
  sum[t] = total;
  __syncthreads();
  if (size >= 256) {
    if (t < 128)
      sum[t] += sum[t + 128]; // expect 1: read-write race on 'sum'
#if BUG != 1
    __syncthreads();
#endif
  }
  if (size >= 128) {
    if (t < 64)
      sum[t] += sum[t + 64];
    __syncthreads();
  }
  for (unsigned s = 32; s > 0; s >>= 1) {
    if (t < s)
      sum[t] += sum[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sum[0];
}

void launch(const int *in, int *out, unsigned n) {
  reduce<256><<<64, 256>>>(in, out, n);
}
