// A single thread cannot race with itself.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       one thread of each warp

__global__ void fill(int *out) {
#if BUG == 1
  if (threadIdx.x % 32 == 0) {
#else
  if (threadIdx.x == 0) {
#endif
    out[0] = 1; // expect 1: write-write race on 'out'
    out[0] = 2;
  }
}
