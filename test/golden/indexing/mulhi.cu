// The upper half of a product: a shift, and a division by a constant.
//
// args:     --blockDim=96 --gridDim=4
// verdict:  verified
// bug 1:    racy       two threads share what is shifted one bit too far
// bug 2:    racy       the factor is that of four, and the remainder of three
// bug 3:    racy       of signed numbers the lower half carries less
// bug 4:    racy       the same of 64 bits

__global__ void high(int *shifted, int *thirds, int *negative, int *wide) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = -(int)i;
  long long l = n;
#if BUG == 1
  shifted[__umulhi(i << 15, 1u << 16)] = i; // expect 1: race on 'shifted'
#else
  shifted[__umulhi(i << 16, 1u << 16)] = i;
#endif
#if BUG == 2
  unsigned third = __umulhi(i, 1u << 30);
#else
  unsigned third = __umulhi(i, 0x55555556u);
#endif
  thirds[3 * third + (i - 3 * third) % 3] = i; // expect 2: race on 'thirds'
#if BUG == 3
  negative[-__mulhi(n * (1 << 15), 1 << 16)] = i; // expect 3: on 'negative'
#else
  negative[-__mulhi(n * (1 << 16), 1 << 16)] = i;
#endif
#if BUG == 4
  wide[-__mul64hi(l * (1ll << 39), 1ll << 24)] = i; // expect 4: on 'wide'
#else
  wide[-__mul64hi(l * (1ll << 40), 1ll << 24) +
       __umul64hi((unsigned long long)i, 1ull << 8)] = i;
#endif
}
