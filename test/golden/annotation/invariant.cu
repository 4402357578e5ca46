// A loop invariant that the race freedom rests upon: p stays in the thread's
// own residue class.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  does not hold on entry
// bug 2:    assertion  is not kept

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
