// Threads leave a loop after different numbers of iterations, each of which
// has a loop of its own, and then meet at a barrier.
//
// args:     --blockDim=64 --gridDim=4 --exited-threads=error
// verdict:  verified
// bug 1:    divergent  a thread without work does not come to the barrier

__global__ void sum(const int *in, int *out, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x, total = 0;
#if BUG == 1
  if (t >= n)
    return;
#endif
  for (int i = t; i < 100; i += 64)
    for (int k = i; k < n; k += 100)
      total += in[k];
  cell[t] = total;
  __syncthreads(); // expect 1: barrier divergence
  if (blockIdx.x == 0)
    out[t] = cell[63 - t];
}
