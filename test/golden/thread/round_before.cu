// What a loop carries was made in the iteration before, from what that had.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified, verified
// bug 1:    racy, verified, verified   the counter is one less
// bug 2:    racy, verified, verified   an inner loop has rounds of its own
// bug 3:    verified, racy, verified   more than the invariant says
// bug 4:    verified, verified, racy   the counter of the loop is one less

__global__ void strided(int *out, int n) {
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

__global__ void few_at_a_time(int *in, int *out, int n) {
  int t = threadIdx.x, last = 0, few = 3;
  for (int i = 0; __invariant(few < 10), i < n; i++) {
    if (last >= (BUG == 3 ? 9 : 10))
      out[0] = t; // expect 3: write-write race on 'out'
    last = few;
    few = in[64 * i + t];
    if (few >= 10)
      few = 9;
    in[64 * i + t] = 1;
  }
}

__global__ void in_a_loop(int *out, int n) {
  int t = threadIdx.x;
  for (int x = 1; x < n; x = 3 * x + 1) {
    int last = x - 1;
    for (int j = 0; j < n; j++) {
      if (last == x + j + (BUG == 4 ? -1 : 1))
        out[0] = t; // expect 4: write-write race on 'out'
      last = x + j;
    }
  }
}
