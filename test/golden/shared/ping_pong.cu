// Shifts a ring step by step between two buffers; `buf ^= 1` swaps them, so
// that one barrier a step is enough.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       the buffers are not swapped
// bug 2:    racy       no barrier in the loop

__global__ void shift(const int *in, int *out, int steps) {
  __shared__ int cell[2][64];
  int t = threadIdx.x, g = blockIdx.x * 64 + t;
  int buf = 0;
  cell[0][t] = in[g];
  __syncthreads();
  for (int i = 0; i < steps; i++) {
#if BUG == 1
    cell[buf][t] = cell[buf][(t + 1) % 64]; // expect 1: race on 'cell'
#else
    cell[buf ^ 1][t] = cell[buf][(t + 1) % 64]; // expect 2: race on 'cell'
#endif
#if BUG != 2
    __syncthreads();
#endif
    buf ^= 1;
  }
  out[g] = cell[buf][t];
}
