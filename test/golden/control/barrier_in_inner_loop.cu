// The only barrier of a round is in an inner loop.  That no round goes without
// has to be proved of every round of the inner loop, not of the first one, and
// the barrier before them all does not count.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       what is read decides about the barrier

__global__ void rounds(const int *in, int *out, int n) {
  __shared__ int cells[128];
  int t = threadIdx.x;
  cells[t] = 0;
  __syncthreads();
  for (int i = 0; i < n; i++) {
    cells[t + i % 64] = i; // expect 1: write-write race on 'cells'
    for (int j = 0; j < 4; j++)
#if BUG == 1
      if (in[4 * i + j])
#endif
        __syncthreads();
  }
  out[t] = cells[t]; // allow 1: race on 'cells'
}
