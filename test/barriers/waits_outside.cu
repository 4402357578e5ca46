// Waits until another block has written to global memory, then for its own.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       without the barrier

__global__ void __launch_bounds__(64) late(volatile int *ready, int *out) {
  __shared__ int cell[64];
  while (*ready == 0)
    ;
  cell[threadIdx.x] = threadIdx.x; // expect 1: race in shared memory
#if BUG != 1
  __syncthreads();
#endif
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
