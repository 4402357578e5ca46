// Threads leave a loop around a barrier, in a round or after some more, and
// meet others there in the next round of the loop around it.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       leaving in the round of the barrier, or the next one
// bug 2:    racy       leaving after more rounds without a barrier

__global__ void rounds(const int *in, int *out, int n) {
  __shared__ int cells[2];
  int t = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (t == 0)
      cells[0] = cells[1] = k; // allow 1,2: race on 'cells'
    __syncthreads();
    for (int j = 0; j < 5; j++) {
#if BUG == 2
      if (j == 0) {
        __syncthreads();
        if (t == 1)
          out[1] = cells[0]; // expect 2: race on 'cells'
      }
      if (in[k])
        break;
#else
      __syncthreads();
      if (t == 1 && in[k + j])
        out[1] = cells[0]; // expect 1: race on 'cells'
      if (t == 1 && !in[k + j])
        out[1] = cells[1]; // expect 1: race on 'cells'
      if (in[k + j])
        break;
#endif
    }
#if BUG == 0
    __syncthreads();
#endif
  }
}
