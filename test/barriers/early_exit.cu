// Warps that have exited are not waited for.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       without the barrier

__global__ void __launch_bounds__(128) head(int *out) {
  __shared__ int cell[70];
  int t = threadIdx.x;
  if (t >= 70)
    return;
  cell[t] = t; // expect 1: race in shared memory
#if BUG != 1
  __syncthreads();
#endif
  out[t] = cell[69 - t];
}
