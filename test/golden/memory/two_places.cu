// Values that are read at two places are two values, also for those ways to a
// proof that do not look at places.
//
// args: --blockDim=64 --gridDim=1
// verdict: verified
// bug 1: racy  all whose neighbours differ write to one place
// bug 2: racy  so do those for whom one square is below another

__global__ void neighbours(const unsigned *x, unsigned *first, unsigned *out) {
  unsigned t = threadIdx.x, mine = x[t], next = x[t + 1];
#if BUG == 1
  if (mine != next)
    first[0] = t; // expect 1: race on 'first'
#elif BUG == 2
  if (mine * mine < next * next)
    first[0] = t; // expect 2: race on 'first'
#else
  if (mine * mine < next * next)
    out[t] = first[0];
#endif
}
