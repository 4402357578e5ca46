// What is said of the other arrays beside an alarm is true of them: two arrays
// behind one statement, and proofs that rest on an assertion that fails.
//
// args:    --blockDim=64 --gridDim=1
// verdict: verified
// bug 1:   racy       one statement, two arrays
// bug 2:   assertion  a proof rests on what fails

#include <gpuverify.h>

__global__ void fill(int *a, int *b, int n) {
  int t = threadIdx.x;
#if BUG == 1
  int *cell = n > 3 ? a : b;
  cell[0] = t; // expect 1: possible write-write race on 'a'
#elif BUG == 2
  __assert(n == 0); // expect 2: assertion
  b[n * (t & 1)] = 1;
#endif
  a[64 + t] = t;
  b[64 + t] = t;
}
