// Blocks overlap by one column, where both store what depends on the place
// alone.
//
// args:     --blockDim=65 --gridDim=4
// verdict:  verified
// bug 1:    racy       what is stored depends on the block

__global__ void fill(int *out, int scale) {
  int i = blockIdx.x * 64 + threadIdx.x;
#if BUG == 1
  out[i] = scale + blockIdx.x; // expect 1: write-write race on 'out'
#else
  out[i] = scale * i;
#endif
}
