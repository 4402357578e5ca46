// Pairs are stored whole and read by halves behind a barrier.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       no barrier

__global__ void pairs(const int *in, int *out) {
  __shared__ int2 pair[64];
  int t = threadIdx.x;
  pair[t] = make_int2(in[t], -in[t]);
#if BUG != 1
  __syncthreads();
#endif
  const int *half = (const int *)pair;
  out[t] = half[t] + half[t + 64]; // expect 1: read-write race on 'pair'
}
