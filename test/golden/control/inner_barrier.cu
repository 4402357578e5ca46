// The barrier of an iteration is in an inner loop.  It comes in each iteration
// only if the inner loop gets to it.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the inner loop may go without it

__global__ void rounds(const int *in, int n) {
  __shared__ int cell;
  int t = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (t == (k & 1))
      cell = k; // expect 1: write-write race on 'cell'
    for (int j = 0; j < 2; j++)
#if BUG == 1
      if (j == 1 && in[k])
#endif
        __syncthreads();
  }
}
