// Threads that have returned are missing at the barrier.
//
// args:     --blockDim=64 --gridDim=4 --exited-threads=error
// verdict:  verified
// bug 1:    divergent  without the promise that n fills all blocks

__global__ void wait(const int *in, int *out, int n) {
#if BUG != 1
  __requires(n == 256);
#endif
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  out[i] = in[i];
  __syncthreads(); // expect 1: barrier
}
