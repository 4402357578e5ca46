// Inclusive prefix sums with two buffers in one array, exchanged every step.
//
// args:     --blockDim=128 --gridDim=8
// verdict:  verified
// bug 1:    racy       one buffer only
// bug 2:    racy       no barrier between the steps

__global__ void scan(const int *in, int *out) {
  const int n = 128;
  __shared__ int temp[2 * n];
  int t = threadIdx.x, to = 0, from = 1;
  temp[t] = in[blockIdx.x * n + t];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
#if BUG == 1
    from = to;
#else
    to = 1 - to;
    from = 1 - to;
#endif
    int before = t >= offset ? temp[from * n + t - offset] : 0;
    temp[to * n + t] = temp[from * n + t] + before; // expect 1,2: race on
#if BUG != 2
    __syncthreads();
#endif
  }
  out[blockIdx.x * n + t] = temp[to * n + t];
}
