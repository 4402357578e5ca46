// volatile makes no order between threads.
//
// args:     --blockDim=32 --gridDim=1
// verdict:  verified
// bug 1:    racy       trusts in volatile and in lock step

__global__ void shift(const int *in, int *out) {
  __shared__ volatile int cell[32];
  int t = threadIdx.x;
  cell[t] = in[t];
#if BUG != 1
  __syncwarp();
#endif
  out[t] = cell[(t + 1) % 32]; // expect 1: read-write race on 'cell'
}
