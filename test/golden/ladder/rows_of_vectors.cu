// Rows of so many numbers, of which a vector is two or four: the numbers fit.
//
// args: --ladder=all --blockDim=64 --gridDim=4096
// verdict: verified, verified
// assumes: launch-limits, sizes-fit
// bug 1: racy, racy          a row is one vector longer
// bug 2: racy, verified      an index of pages is no place of a vector

__global__ void pairs(float2 *a, unsigned n) {
  unsigned x = threadIdx.x;
#if BUG == 2
  if (x < n / 64)
    a[blockIdx.x * n / 64 + x].x = x; // expect 2: write-write race on 'a'
#else
  if (x < n / 2 + (BUG == 1))
    a[blockIdx.x * n / 2 + x].x = x; // expect 1: write-write race on 'a'
#endif
}

__global__ void quads(float4 *a, unsigned n) {
  unsigned x = threadIdx.x;
  if (x < n / 4 + (BUG == 1))
    a[blockIdx.x * n / 4 + x].x = x; // expect 1: write-write race on 'a'
}
