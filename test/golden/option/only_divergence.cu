// Races abound, but only barriers are looked at.
//
// args:     --blockDim=64 --gridDim=4 --only-divergence
// verdict:  verified
// bug 1:    divergent  a barrier for half of the block

__global__ void fill(int *out) {
  out[0] = threadIdx.x;
#if BUG == 1
  if (threadIdx.x >= 32)
#endif
    __syncthreads(); // expect 1: barrier
  out[0] = out[1];
}
