// A wave equation steps through three buffers that go round: two old states
// and the next one.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       no barrier between two steps
// bug 2:    racy       the next state overwrites the current one

__global__ void wave(float *out, const float *in, int steps) {
  __shared__ float state[3][66];
  float *before = state[0], *now = state[1], *next = state[2];
  int i = threadIdx.x + 1;
  for (int k = 0; k < 3; k++)
    for (int j = threadIdx.x; j < 66; j += 64)
      state[k][j] = in[j];
  __syncthreads();
  for (int step = 0; step < steps; step++) {
    float sum = now[i - 1] + now[i + 1]; // expect 1,2: race on 'state'
    next[i] = sum - before[i];           // allow 2: race on 'state'
#if BUG != 1
    __syncthreads();
#endif
    float *oldest = before;
    before = now;
    now = next;
#if BUG != 2
    next = oldest;
#endif
  }
  out[i] = now[i];
}
