// What a loop carries was made in the iteration before, from what that had.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       in the iteration before, the counter is one less
// bug 2:    racy       an inner loop has other values in the last round

__global__ void rounds(int *out, int n) {
  int t = threadIdx.x;
#if BUG == 1
  int last = -1;
  for (int i = 0; i < n; i++) {
    if (i > 2 && last == i - 1)
      out[0] = t; // expect 1: write-write race on 'out'
    last = i;
  }
#elif BUG == 2
  int x = 1;
  for (int k = 0; k < n; k++) {
    int y = t;
    for (int j = 0; j < 3; j++) {
      if (k > 0 && j > 0 && y != 3 * x + 1)
        out[0] = t; // expect 2: write-write race on 'out'
      y = 3 * y + 1;
    }
    x = y;
  }
#else
  int last = -1;
  for (int i = t; i < 999; i += 64) {
    if (last >= 0)
      out[last] = t;
    if (last > i)
      out[1000] = t;
    last = i;
  }
#endif
}
