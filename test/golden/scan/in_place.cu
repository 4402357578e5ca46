// Inclusive prefix sums in place: read, barrier, write, barrier.
//
// args:     --blockDim=128 --gridDim=8
// verdict:  verified
// bug 1:    racy       no barrier between reading and writing
// bug 2:    racy       no barrier between writing and the next step

__global__ void scan(const int *in, int *out) {
  __shared__ int sum[128];
  unsigned t = threadIdx.x;
  sum[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (unsigned offset = 1; offset < 128; offset <<= 1) {
    int before = 0;
    if (t >= offset)
      before = sum[t - offset]; // expect 1,2: read-write race on 'sum'
#if BUG != 1
    __syncthreads();
#endif
    sum[t] += before;
#if BUG != 2
    __syncthreads();
#endif
  }
  out[blockIdx.x * 128 + t] = sum[t];
}
