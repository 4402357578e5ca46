// A loop that ends because numbers of 32 bits wrap.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       it does a round more than there are barriers

__global__ void __launch_bounds__(64) rounds(int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  for (unsigned i = 0xfffffffcu; i != 1; i++) {
    cell[t] = i; // expect 1: race in shared memory
#if BUG == 1
    if (i >> 31)
      __syncthreads();
#else
    __syncthreads();
#endif
    out[t] += cell[63 - t];
    __syncthreads();
  }
}
