// Carves the launch's shared memory into two arrays, one after the other, for
// every block size.
//
// args:     --blockDim=* --gridDim=*
// verdict:  verified
// bug 1:    racy       the second array starts in the middle of the first

extern __shared__ float pool[];

__global__ void pair_up(const float *in, float *out) {
  unsigned t = threadIdx.x, n = blockDim.x;
  float *value = pool;
#if BUG == 1
  int *index = (int *)(pool + n / 2);
#else
  int *index = (int *)(pool + n);
#endif
  value[t] = in[t];
  index[t] = n - 1 - t; // expect 1: race on 'pool'
  __syncthreads();
  out[(unsigned long long)blockIdx.x * n + t] = value[t] + index[n - 1 - t];
}
