// The end of a loop that each round reads anew: that the counter has not
// passed what this round reads does not follow from that of the round before.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the end goes down below the counter
// bug 2:    racy       the same, the counter going down to an end that rises
// bug 3:    racy       the same, the end being what an atomic returns
// bug 4:    assertion  an invariant about what is read

#include <gpuverify.h>

__global__ void search(unsigned *ends, int *out, unsigned end) {
  int t = threadIdx.x;
#if BUG == 2
  unsigned i = 1000;
#else
  unsigned i = 0;
#endif
  for (;;) {
#if BUG == 0
    unsigned v = end;
#elif BUG == 3
    unsigned v = atomicExch(&ends[t], 3);
#else
    unsigned v = ends[t];
#endif
#if BUG == 4
    __invariant(i == 0 || v < 1000); // expect 4: invariant
#endif
#if BUG == 2
    if (v > i)
#else
    if (v < i)
#endif
#if BUG == 4
      out[t + 1] = v;
#else
      out[0] = t; // expect 1,2,3: race on 'out'
#endif
    if (i == v)
      break;
#if BUG == 1 || BUG == 2 || BUG == 4
    ends[t] = t;
#endif
#if BUG == 2
    i--;
#else
    i++;
#endif
  }
  out[t + 1] = i;
}
