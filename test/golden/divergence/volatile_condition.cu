// What a volatile read returns is not the same to all of a block, since another
// block may write meanwhile, and that is no race.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    divergent  the other block may write when some have read

__global__ void wait_for_block(volatile int *flag, int *out) {
  if (*flag) {
#if BUG == 1
    __syncthreads(); // expect 1: reached by some threads
#endif
    out[blockIdx.x * 64 + threadIdx.x] = 1;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    *flag = 1;
}
