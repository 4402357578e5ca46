// Threads of two blocks are left out, so another block may have written there
// meanwhile; not so in shared memory.
//
// args:     --blockDim=64 --gridDim=4 --only-intra-group
// verdict:  verified
// bug 1:    racy       the cell is in global memory

__global__ void keep(int *out, int *cells) {
  __shared__ int shared[64];
  int t = threadIdx.x;
#if BUG == 1
  int *place = cells;
#else
  int *place = shared;
#endif
  place[t] = t;
  out[place[t]] = t; // expect 1: write-write race on 'out'
}
