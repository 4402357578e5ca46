// A barrier of the warp keeps the threads of a warp in step.  Those of the
// block go round as often only if a barrier of the block is there.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  the warps have gone round differently often

__global__ void rounds(int *out, int n) {
  __shared__ int cells[64];
  int t = threadIdx.x, warp = t / 32, x = 1;
#if BUG == 1
  for (int k = 0; k < warp; k++) {
    __syncwarp();
    x = 3 * x + 1;
  }
  if (x & 4)
    __syncthreads(); // expect 1: barrier divergence
#else
  for (int k = 0; k < warp + 3; k++) {
    cells[32 * warp + (t + x & 31)] = t;
    __syncwarp();
    x = 3 * x + 1;
  }
  for (int k = 0; k < n + t / 64; k++) {
    __syncthreads();
    x = 3 * x + 1;
  }
  x = 1;
  for (int k = 0; k < n + t / 64; k++) {
    __syncthreads();
    x = 3 * x + 1;
  }
  if (x & 4)
    __syncthreads();
#endif
  out[t] = x;
}
