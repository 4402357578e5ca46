// What the user says of loops is a guess: kept where it is proved, else dropped.
//
// args:     --blockDim=64 --gridDim=1 --invariants-as-candidates
// verdict:  verified, verified
// bug 1:    racy, verified        it does not hold, and nothing is known of p
// bug 2:    verified, racy        a wrong one is never assumed

__global__ void hop(const int *in, int *out, int n) {
  unsigned t = threadIdx.x, p = t;
  for (int i = 0; __invariant(p % 64 == t), i < n; i++) {
    out[p] = i; // expect 1: race on 'out'
    p += in[i] ? 64 : BUG == 1 ? 65 : 128;
  }
}

// One that is wrong does no harm, if nothing rests upon it.
__global__ void count(const int *in, int *out, int n) {
  unsigned t = threadIdx.x;
  for (int i = 0; __invariant(i == 1), i < n; i++)
    out[BUG == 2 ? i : t] = in[i] + t; // expect 2: race on 'out'
}
