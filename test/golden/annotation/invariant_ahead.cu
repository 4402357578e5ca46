// An invariant holds within its loop: of a thread that has still to enter it
// nothing is known by it.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       before what makes the invariant true
// bug 2:    assertion  about something that the loop does not change
// bug 3:    assertion  what makes it true is in the loop

__global__ void rounds(int *out, int n) {
  int t = threadIdx.x;
#if BUG == 1
  out[0] = t; // expect 1: write-write race on 'out'
#endif
#if BUG == 0 || BUG == 1
  __assume(t < 1 && n < 5);
#endif
  for (int x = 1;
       __invariant(n < 5), // expect 2,3: may not hold on entry
#if BUG == 0 || BUG == 1
       __invariant(t < 1),
#endif
       BUG == 3 || x < n; x = 3 * x + 1) {
#if BUG == 3
    __assume(n < 5);
    if (x >= n)
      break;
#endif
    out[t] = x; // allow 1: race on 'out'
  }
}
