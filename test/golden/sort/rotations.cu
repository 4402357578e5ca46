// A step of a bitonic sort: which of two rotations of a text comes first is found
// by a loop over both.
//
// args:     --blockDim=256 --gridDim=4 --error-limit=1
// verdict:  verified
// bug 1:    racy       both threads of a pair exchange
// bug 2:    racy       two threads have one partner

__device__ bool comes_first(int a, int b, const char *text, int n) {
  if (a < 0 || b < 0)
    return b < a;
  for (int i = 0; i < n; i++) {
    char of_a = text[(a + i) % n], of_b = text[(b + i) % n];
    if (of_a != of_b)
      return of_a < of_b;
  }
  return false;
}

__global__ void step(int *table, unsigned size, unsigned half, unsigned run,
                     const char *text, int n) {
  unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
#if BUG == 2
  unsigned other = i | half;
#else
  unsigned other = i ^ half;
#endif
#if BUG == 1
  if (i < size && other != i) {
#else
  if (i < size && other > i) {
#endif
    bool goes_up = (i & run) == 0;
    int here = table[i], there = table[other];
    if (comes_first(goes_up ? there : here, goes_up ? here : there, text, n)) {
      table[i] = there;    // allow 1,2: race on 'table'
      table[other] = here; // expect 1,2: race on 'table'
    }
  }
}
