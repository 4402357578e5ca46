// The 32-bit product of block number and block size wraps in grids that
// hardware allows; with an upper bound on the grid it does not.
//
// args:     --blockDim=1024 --gridDim=* --huge-grids
// verdict:  verified
// bug 1:    racy       no bound: block 0 and block 2^22 share elements

__global__ void fill(unsigned *out) {
#if BUG != 1
  __requires(gridDim.x <= 65535);
#endif
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = blockIdx.x; // expect 1: write-write race on 'out'
}
