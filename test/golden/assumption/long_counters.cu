// A counter of 64 bits does not pass the end of the numbers, whatever n is;
// one of 16 bits does.
//
// args:     --blockDim=64 --gridDim=63
// verdict:  verified
// bug 1:    racy       the index keeps 16 bits of the counter

__global__ void scale(float *a, unsigned long long n) {
  unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
  unsigned long long i =
      (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += stride)
#if BUG == 1
    a[i & 0xffff] = 2 * a[i & 0xffff]; // expect 1: race on 'a'
#else
    a[i] = 2 * a[i];
#endif
}
