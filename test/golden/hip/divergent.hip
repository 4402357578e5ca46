// All threads of a block come to a barrier; who leaves early is not missed.
//
// args:     --blockDim=128
// verdict:  verified, verified
// bug 1:    divergent, verified   half of the block passes
// bug 2:    verified, racy        who left has written

__global__ void half_of_it(int *a, const int *b) {
  __shared__ int t[128];
  t[threadIdx.x] = b[threadIdx.x];
  if (BUG != 1 || threadIdx.x < 64)
    __syncthreads(); // expect 1: divergence
  a[blockIdx.x * 128 + threadIdx.x] = BUG == 1 ? 0 : t[127 - threadIdx.x];
}

__global__ void early(int *a, int n) {
  __shared__ int t[128];
  int i = blockIdx.x * 128 + threadIdx.x;
#if BUG == 2
  t[0] = 1; // expect 2: race on 't'
#endif
  if (i >= n)
    return;
  t[threadIdx.x] = a[i]; // allow 2: race
  __syncthreads();       // allow 2: divergence
  a[i] = t[threadIdx.x];
}
