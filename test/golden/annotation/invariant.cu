// A loop invariant that the race freedom rests upon: p stays in the thread's
// own residue class.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified, verified
// bug 1:    assertion, verified, verified   does not hold on entry
// bug 2:    assertion, verified, verified   is not kept
// bug 3:    verified, assertion, verified   nothing is assumed that keeps it
// bug 4:    verified, verified, assertion   each round counts anew

__global__ void hop(const int *in, int *out, int n) {
  unsigned t = threadIdx.x, p = t;
#if BUG == 1
  p = t + 1;
#endif
  for (int i = 0;
#if BUG == 1
       __invariant(p % 64 == t), // expect 1: may not hold on entry
#else
       __invariant(p % 64 == t), // expect 2: may not be kept
#endif
       i < n;
       i++) {
#if BUG == 0
    out[p] = i;
#endif
#if BUG == 2
    p += in[i] ? 64 : 65;
#else
    p += in[i] ? 64 : 128;
#endif
  }
}

// What a round assumes, and what it is told before.
__global__ void few(int *in, int *out, int n) {
  int t = threadIdx.x, x = 3;
  for (int i = 0;
       __invariant(x < 10), // expect 3: may not be kept
       i < n;
       i++) {
    if (x > 10)
      out[0] = t;
    x = in[64 * i + t];
#if BUG != 3
    __assume(x < 10);
#endif
    in[64 * i + t] = 1;
  }
}

// The rounds of an inner loop.
__global__ void count(int *out, int n) {
  int last = 0, k;
  for (int i = 0; i < n; i++) {
    for (k = 0; k < 9 && k <= i; k++)
      out[threadIdx.x] = k;
    __invariant(BUG != 4 || i == 0 || last == k); // expect 4: may not be kept
    last = k;
  }
}
