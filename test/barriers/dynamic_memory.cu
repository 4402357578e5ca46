// Shared memory whose size the launch decides.
//
// technique: barriers
// args:     --blockDim=64
// verdict:  verified
// bug 1:    racy       all write the first cell

__global__ void swap(int *out) {
  extern __shared__ int cell[];
#if BUG == 1
  cell[0] = threadIdx.x; // expect 1: write-write race in shared memory
#else
  cell[threadIdx.x] = threadIdx.x;
#endif
  __syncthreads();
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
