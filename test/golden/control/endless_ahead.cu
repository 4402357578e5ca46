// What comes before a loop that never ends is not excused by it, though no
// thread leaves it.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       before both loops
// bug 2:    divergent  in the loop before it
// bug 3:    assertion  an invariant on entry to the loop before it

__global__ void rounds(int *out, int n) {
  int t = threadIdx.x, i = 0;
#if BUG == 1
  out[64] = t; // expect 1: write-write race on 'out'
#endif
#if BUG == 2
  n = t;
#endif
  for (;
#if BUG == 3
       __invariant(i > 0), // expect 3: may not hold on entry
#endif
       i < n;
       i++)
    __syncthreads(); // expect 2: threads leave the loop
  while (BUG) // for ever
    out[t] = i;
}
