// A product of factors that were extended by their sign wraps if one of them is
// below zero: with a = 128, b = -1000 and y = 2^26 + 1, m is 128 and each thread
// comes to the first element.
//
// args:     --blockDim=64 --gridDim=1 --strict
// verdict:  racy
__global__ void k(unsigned *p, short a, short b, unsigned y) {
  unsigned x = (unsigned)(int)a, n = x * (unsigned)(int)b, m = x * y;
  if (a >= 100 && (int)y >= 1 << 26 && n <= 0xFFFF0000u &&
      y < (unsigned)(int)b && (int)m >= 1)
    p[threadIdx.x % m / y] = threadIdx.x; // expect 0: race on 'p'
}
