// What is divided by a power of two, or times it: a case for each exponent.
//
// args:     --blockDim=2 --gridDim=1
// verdict:  verified, verified
// bug 1:    racy, verified      the power is shifted out in the end
// bug 2:    racy, verified      two exponents
// bug 3:    verified, racy      the groups of a span are one span apart

__global__ void scaled(int *out, int rounds) {
  unsigned t = threadIdx.x, power = 1;
#if BUG == 2
  unsigned other = 1;
  for (int k = 0; k < (rounds & 7); k++)
    other *= 2;
#endif
  for (int i = 0; i < rounds && (BUG == 1 || i < 32); i++) {
#if BUG == 2
    out[t * power + (1 - t) * other] = t; // expect 2: write-write race on 'out'
#else
    out[t * power] = t; // expect 1: write-write race on 'out'
#endif
    power *= 2;
    __syncthreads();
  }
}

__global__ void spans(int *out, unsigned n) {
  unsigned t = threadIdx.x;
  for (unsigned span = 1; span && span < n; span *= 2) {
    unsigned at = t / span * (BUG == 3 ? 1 : 2) * span + t % span;
    out[at] = t;        // expect 3: write-write race on 'out'
    out[at + span] = t; // allow 3: write-write race on 'out'
    __syncthreads();
  }
}
