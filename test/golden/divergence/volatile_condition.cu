// What a volatile read returns is not the same to all of a block, since another
// block may write meanwhile, and that is no race.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    divergent  some come before the other block has written

__global__ void wait_for_block(volatile int *flag, int *out) {
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0)
      *flag = 1;
  } else if (*flag) {
#if BUG == 1
    __syncthreads(); // expect 1: reached by some threads
#endif
    out[threadIdx.x] = 1;
  }
}
