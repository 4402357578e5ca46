// A loop over all elements with a counter of 32 bits, which passes the end of
// the numbers before it passes n if n is near enough to it.
//
// args:     --no-overflow
// verdict:  verified
// bug 1:    racy       16 bits are not enough

__global__ void scale(float *a, int n) {
#if BUG == 1
  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 2 * a[i]; // expect 1: race on 'a'
#else
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    a[i] = 2 * a[i];
#endif
}
