// What is said of the other arrays beside an alarm is true of them: two arrays
// behind one statement, and proofs that rest on an assertion that fails, or of
// which nobody knows whether it does: it does for two primes.
//
// args:    --blockDim=64 --gridDim=1
// verdict: verified
// bug 1:   racy       one statement, two arrays
// bug 2:   assertion  a proof rests on what fails
// bug 3:   racy       a proof rests on what is not decided

#include <gpuverify.h>

__global__ void fill(int *a, int *b, int n, unsigned long long p,
                     unsigned long long q) {
  int t = threadIdx.x;
#if BUG == 1
  int *cell = n > 3 ? a : b;
  cell[0] = t; // expect 1: possible write-write race on 'a'
#elif BUG == 2
  __assert(n == 0); // expect 2: assertion
  b[n * (t & 1)] = 1;
#elif BUG == 3
  a[0] = t; // expect 3: race on 'a'
  __requires(p > 1 && q > 1 && p < 1ull << 31 && q < 1ull << 31);
  __assert(p * q != 2147483629ull * 2147483587ull);
  b[p == 2147483629ull && q == 2147483587ull ? 0 : 128 + t] = t;
#endif
  a[64 + t] = t;
  b[64 + t] = t;
}
