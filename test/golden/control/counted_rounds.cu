// Loops that constants alone decide on go round as often as they say: what they
// make is a number behind them.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy   rows are one longer than that
// bug 2:    racy   data may end the loop
// bug 3:    racy   so may an argument
// bug 4:    racy   data may end a loop within, and the one around with it
// bug 5:    racy   it begins with another number in each thread
// bug 6:    racy   within the loop threads are in any of its rounds

__global__ void rows(int *out, const int *in, int n) {
  int t = threadIdx.x, sum = 0, i, size = 1;
  if (n <= 0)
    return;
  for (i = BUG == 5 ? t % 3 + 1 : 1; i < 12; i *= 3) {
    size = 3 * size + 1; // 4, 13, 40
    if ((BUG == 2 && in[i] < 0) || (BUG == 3 && n == 7))
      break;
    for (int j = 0; i + j < 12; j += 3 * i) {
      if (BUG == 4 && in[j] == 3)
        goto over;
      sum += in[j];
    }
    if (BUG == 6)
      out[4096 + t + i] = sum; // expect 6: write-write race on 'out'
  }
over:
  for (int k = 0; k < (BUG == 1 ? 41 : 40); k++)
    out[size * t + k] = sum + t; // expect 1,2,3,4,5: write-write race on 'out'
}
