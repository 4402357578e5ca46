// Threads past the end return at once.
//
// args:     --blockDim=256 --gridDim=64 --exited-threads=error
// verdict:  verified
// bug 1:    divergent  the others wait for them at a barrier

__global__ void half(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] /= 2;
#if BUG == 1
  __syncthreads(); // expect 1: barrier
#endif
}
