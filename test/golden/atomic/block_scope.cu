// An atomic of block scope is one for the threads of a block only.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  verified
// bug 1:    racy       all blocks add to one cell

__global__ void count(const int *in, int *out) {
  if (in[blockIdx.x * 64 + threadIdx.x] > 0) {
#if BUG == 1
    atomicAdd_block(&out[0], 1); // expect 1: race on 'out'
#else
    atomicAdd_block(&out[blockIdx.x], 1);
#endif
  }
}
