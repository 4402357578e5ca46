// A switch over an argument: whichever case it is, all threads take it.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  a switch over what the thread has loaded
// bug 2:    racy       one case lacks its barrier

__global__ void choose(const int *in, int *out, int mode) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  cell[t] = in[t];
#if BUG == 1
  mode = in[t];
#endif
  switch (mode) {
  case 1:
#if BUG != 2
    __syncthreads(); // expect 1: barrier
#endif
#if BUG == 1
    out[t] = 1;
#else
    out[t] = cell[t ^ 1]; // expect 2: read-write race on 'cell'
#endif
    break;
  case 2:
    out[t] = -cell[t];
    break;
  default:
    out[t] = cell[t];
  }
}
