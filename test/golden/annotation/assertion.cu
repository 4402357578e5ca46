// Assertions about indices.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    assertion  off by one
// bug 2:    assertion  about an argument that may be anything

__global__ void check(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  assert(i < 255); // expect 1: assertion
#else
  assert(i < 256);
#endif
  if (i < n) {
#if BUG == 2
    assert(n <= 256); // expect 2: assertion
#else
    assert(n > 0);
#endif
    out[i] = in[i];
  }
}
