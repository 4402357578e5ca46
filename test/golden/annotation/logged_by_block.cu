// With races looked for within blocks alone, their barriers clear all logs.
//
// args:     --blockDim=64 --gridDim=4 --only-intra-group
// verdict:  verified
// bug 1:    assertion  no barrier

__global__ void fill(int *out) {
  int t = threadIdx.x;
  out[t] = t;
  if (BUG != 1)
    __syncthreads();
  __assert(__no_write(out)); // expect 1: the write of 'out'
}
