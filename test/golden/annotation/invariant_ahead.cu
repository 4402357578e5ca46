// An invariant holds within its loop: of a thread that has still to enter it
// nothing is known by it.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       before what makes the invariant true
// bug 2:    assertion  about something that the loop does not change

__global__ void rounds(int *out, int n) {
  int t = threadIdx.x;
#if BUG == 1
  out[0] = t; // expect 1: write-write race on 'out'
#endif
#if BUG != 2
  __assume(t < 1 && n < 5);
#endif
  for (int x = 1;
       __invariant(n < 5), // expect 2: may not hold on entry
#if BUG != 2
       __invariant(t < 1),
#endif
       x < n; x = 3 * x + 1)
    out[t] = x; // allow 1: race on 'out'
}
