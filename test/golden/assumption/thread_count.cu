// A launch has fewer than 2^31 threads along an axis, so a 32-bit index of a
// thread does not wrap; 24 bits may.
//
// verdict:  verified
// bug 1:    racy       24 bits are not enough

__global__ void scale(float *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  i &= 0xffffff;
#endif
  a[i] = 2 * a[i]; // expect 1: race on 'a'
}
