// A grid-stride loop, for every one-dimensional launch.
//
// args:     --blockDim=* --gridDim=*
// verdict:  verified
// bug 1:    racy       the stride counts blocks, not threads

__global__ void scale(float *a, unsigned n) {
  unsigned long long i =
      (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  unsigned long long stride = gridDim.x;
#else
  unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
#endif
  for (; i < n; i += stride)
    a[i] = 2 * a[i]; // expect 1: race on 'a'
}
