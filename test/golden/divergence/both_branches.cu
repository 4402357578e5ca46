// A barrier in each branch is not one barrier for both.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  threads meet at different barriers

__global__ void wait(const int *in, int *out, int forward) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  cell[t] = in[t];
#if BUG == 1
  forward = t & 1;
#endif
  if (forward) {
    __syncthreads(); // expect 1: barrier
  } else {
    out[t] = 0;
    __syncthreads(); // allow 1: barrier
  }
#if BUG != 1
  out[t] = cell[63 - t];
#endif
}
