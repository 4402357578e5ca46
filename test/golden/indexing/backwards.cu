// Each thread walks its own column from the last row up.
//
// args:     --blockDim=32 --gridDim=2
// verdict:  verified
// bug 1:    racy       a step of -31 slides into the neighbour's column

__global__ void column_up(int *out) {
  int *p = out + blockIdx.x * 1024 + 31 * 32 + threadIdx.x;
  for (int row = 31; row >= 0; row--) {
    *p = threadIdx.x; // expect 1: write-write race on 'out'
#if BUG == 1
    p -= 31;
#else
    p -= 32;
#endif
  }
}
