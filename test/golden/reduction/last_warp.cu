// Sums a block; the last warp goes on alone with __syncwarp between its steps.
//
// args:     --blockDim=256 --gridDim=8
// verdict:  verified
// bug 1:    racy       no __syncwarp between reading and writing
// bug 2:    racy       two warps go on, but __syncwarp orders only one

__global__ void reduce(const int *in, int *out) {
  __shared__ int sum[256];
  unsigned t = threadIdx.x;
  sum[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned s = 128; s > 32; s >>= 1) {
    if (t < s)
      sum[t] += sum[t + s];
    __syncthreads();
  }
#if BUG == 2
  if (t < 64) {
#else
  if (t < 32) {
#endif
    for (unsigned s = 32; s > 0; s >>= 1) {
      int other = sum[t + s]; // expect 1,2: read-write race on 'sum'
#if BUG != 1
      __syncwarp();
#endif
      sum[t] += other;
      __syncwarp();
    }
  }
  if (t == 0)
    out[blockIdx.x] = sum[0];
}
