// Passes values to the right neighbour through two slots in turn, with one
// barrier a round.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       one slot: the next round overwrites what is being read

__global__ void pass_on(const int *in, int *out, int rounds) {
  __shared__ int slot[2][64];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < rounds; i++) {
#if BUG == 1
    int s = 0;
#else
    int s = i % 2;
#endif
    slot[s][t] = in[64 * (i % 1024) + t];
    __syncthreads();
    sum += slot[s][(t + 63) % 64]; // expect 1: read-write race on 'slot'
  }
  out[t] = sum;
}
