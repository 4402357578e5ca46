// Blocks share a vector, threads of a block do not: fine if only races inside
// blocks are looked for.
//
// args:     --blockDim=64 --gridDim=4 --only-intra-group
// verdict:  verified
// bug 1:    racy       threads of a block share, too

__global__ void fill(int *out) {
#if BUG == 1
  out[threadIdx.x / 2] = threadIdx.x; // expect 1: write-write race on 'out'
#else
  out[threadIdx.x] = blockIdx.x;
#endif
}
