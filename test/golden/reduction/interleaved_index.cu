// Sums a block with strides 1, 2, 4, ..; the first threads work, on strided
// cells.
//
// args:     --blockDim=256 --gridDim=16
// verdict:  verified
// bug 1:    racy       cells are only one stride apart

__global__ void reduce(const int *in, int *out) {
  __shared__ int sum[256];
  unsigned t = threadIdx.x;
  sum[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned s = 1; s < 256; s *= 2) {
#if BUG == 1
    unsigned i = s * t;
#else
    unsigned i = 2 * s * t;
#endif
    if (i + s < 256)
      sum[i] += sum[i + s]; // expect 1: read-write race on 'sum'
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sum[0];
}
