// __syncthreads_count is a barrier, and its result is known.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       cells as many as threads below 20, but 40 write

__global__ void __launch_bounds__(64) compact(int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  int n = __syncthreads_count(t < 20);
#if BUG == 1
  if (t < 2 * n)
    cell[t % n] = t; // expect 1: write-write race in shared memory
#else
  if (t < n)
    cell[t] = t;
#endif
  __syncthreads();
  out[t] = cell[t % n];
}
