// Atomics do not race with each other, but they do with a plain read.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the total is read before all have added to it

__global__ void __launch_bounds__(96) count(const int *in, int *out) {
  __shared__ int total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  atomicAdd(&total, in[threadIdx.x]); // expect 1: atomic-read race
#if BUG != 1
  __syncthreads();
#endif
  out[threadIdx.x] = total;
}
