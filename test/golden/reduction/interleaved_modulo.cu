// Sums a block with strides 1, 2, 4, ..; the active threads are multiples of
// twice the stride.
//
// args:     --blockDim=256 --gridDim=16
// verdict:  verified
// bug 1:    racy       no barrier in the loop
// bug 2:    racy       multiples of the stride are active

__global__ void reduce(const int *in, int *out) {
  __shared__ int sum[256];
  unsigned t = threadIdx.x;
  sum[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
#if BUG == 2
    if (t % s == 0 && t + s < 256)
#else
    if (t % (2 * s) == 0)
#endif
      sum[t] += sum[t + s]; // expect 1,2: read-write race on 'sum'
#if BUG != 1
    __syncthreads();
#endif
  }
  if (t == 0)
    out[blockIdx.x] = sum[0];
}
