// The maximum of a block, then of the grid, with atomics of both scopes; the
// cells are read again only behind a barrier.
//
// args:     --blockDim=128 --gridDim=16
// verdict:  verified
// bug 1:    racy       the block's maximum is passed on too early

__global__ void maximum(const int *in, int *out) {
  __shared__ int block_max;
  if (threadIdx.x == 0)
    block_max = 0;
  __syncthreads();
  atomicMax(&block_max, in[blockIdx.x * 128 + threadIdx.x]);
#if BUG != 1
  __syncthreads();
#endif
  if (threadIdx.x == 0)
    atomicMax(out, block_max); // expect 1: race on 'block_max'
}
