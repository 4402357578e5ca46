// How many rounds there are is passed on through shared memory.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       it is read before it is there

__global__ void __launch_bounds__(64) rounds(int *out) {
  __shared__ int count, cell[64];
  if (threadIdx.x == 0)
    count = 3; // expect 1: race in shared memory
#if BUG != 1
  __syncthreads();
#endif
  int n = count;
  __syncthreads();
  for (int i = 0; i < n; i++) {
    cell[threadIdx.x] = i;
    __syncthreads();
    out[threadIdx.x] += cell[63 - threadIdx.x];
    __syncthreads();
  }
}
