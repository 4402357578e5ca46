// A grid-stride loop, for every one-dimensional launch.
//
// args:     --blockDim=* --gridDim=*
// verdict:  verified
// bug 1:    racy       all blocks start at the same elements

__global__ void scale(float *a, unsigned n) {
#if BUG == 1
  unsigned long long i = threadIdx.x;
#else
  unsigned long long i =
      (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
#endif
  unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
  for (; i < n; i += stride)
    a[i] = 2 * a[i]; // expect 1: race on 'a'
}
