// Blocks may take different branches: a barrier is a matter of one block.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  verified
// bug 1:    divergent  the branch depends on the position in the grid

__global__ void wait(const int *in, int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  cell[t] = in[i];
#if BUG == 1
  if (i < 100) {
    __syncthreads(); // expect 1: barrier
    out[i] = cell[t];
  }
#else
  if (blockIdx.x % 2) {
    __syncthreads();
    out[i] = cell[t ^ 1];
  }
#endif
}
