// Two loops, one in the other, hand a value to each other.  That is no swap:
// the inner one may go round as often as it likes, or not at all.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       stores in an even round, which may have the other value

__global__ void rounds(int *out, int n, int m) {
  int t = threadIdx.x, x = 1;
  for (int i = 0; i < n; i++) {
    if (x == 2 && (BUG == 1 ? i % 2 : i) == 0)
      out[0] = t; // expect 1: write-write race on 'out'
    int y = 2;
    for (int j = 0; j < m; j++)
      y = x;
    x = y;
  }
}
