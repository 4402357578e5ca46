// Where races between blocks are not looked for, another block may write what
// this one has written.
//
// args:     --blockDim=64 --gridDim=2 --only-intra-group
// verdict:  assertion

#include <gpuverify.h>

__global__ void blocks(int *cell) {
  int t = threadIdx.x;
  cell[t] = blockIdx.x;
  __barrier_invariant_1(cell[t] == blockIdx.x, t); // expect 0: may fail
  __syncthreads();
  __assert(cell[t] == blockIdx.x); // expect 0: may fail
}
