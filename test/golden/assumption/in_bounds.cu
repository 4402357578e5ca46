// An index beyond the end of an array is not an index into the next one.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       in the array itself it collides

__global__ void copy(int *out) {
  __shared__ int a[64], b[64];
  int t = threadIdx.x;
#if BUG == 1
  b[63 - t] = t;
#else
  a[64 + 63 - t] = t;
#endif
  out[t] = b[t]; // expect 1: read-write race on 'b'
}
