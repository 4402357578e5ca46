// What follows the last barrier is ordered by nothing.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       a write behind the barrier meets reads behind it

__global__ void __launch_bounds__(128) shift(int *out) {
  __shared__ int cell[128];
  int t = threadIdx.x;
  cell[t] = t;
  __syncthreads();
  int right = cell[(t + 1) % 128];
#if BUG == 1
  cell[t] = right; // expect 1: read-write race in shared memory
#endif
  out[t] = right;
}
