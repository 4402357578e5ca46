// A place that is found by many steps, each of which is made or not: as a term
// it is a choice, in which the place before stands twice, and so on.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       two threads begin at one place

#define STEP(k)                                                                \
  if (in[k])                                                                   \
    at += 64;
#define STEPS(k) STEP(k) STEP(k + 1) STEP(k + 2) STEP(k + 3) STEP(k + 4)

__global__ void walk(const int *in, int *out) {
#if BUG == 1
  long t = threadIdx.x, at = t / 2;
#else
  long t = threadIdx.x, at = t;
#endif
  STEPS(0) STEPS(5) STEPS(10) STEPS(15)
  STEPS(20) STEPS(25) STEPS(30) STEPS(35)
  out[at] = t; // expect 1: race on 'out'
}
