// Of two threads between the same two barriers either may be ahead, and in
// another run of an inner loop.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the thread that is later in the text is a round ahead
// bug 2:    racy       in the round of the barrier, and in a later one
// bug 3:    racy       in an inner loop, and ahead of it in the next round
// bug 4:    racy       left the loop two rounds after the barrier
// bug 5:    racy       a value without a series, a round ahead
// bug 6:    racy       behind an inner loop, in different rounds of the outer
// bug 7:    racy       a round ahead, with an exchange that keeps nobody apart
// bug 8:    racy       the thread that is earlier in the text is a round ahead

__global__ void rounds(int *out, const int *in, int n) {
  __shared__ int cells[1024];
  int t = threadIdx.x, sum = 0;
#if BUG == 0 || BUG == 1 || BUG == 8
  for (int k = 1; k < 999; k++) {
    if (k & 1)
      __syncthreads();
    if (t == 1 && BUG == 8)
      sum += cells[k - 1];
    if (t == 0)
      cells[k] = k; // expect 1,8: race on 'cells'
    if (t == 1 && BUG != 8)
      sum += cells[k - 1];
#if BUG == 0
    __syncthreads();
#endif
    if (!(k & 1))
      __syncthreads();
  }
#elif BUG == 2
  for (int k = 0; k < n; k++) {
    if (k == 0) {
      __syncthreads();
      if (t == 1)
        sum = cells[0]; // expect 2: race on 'cells'
    }
    if (k == 3 && t == 0)
      cells[0] = 1;
  }
#elif BUG == 3
  for (int k = 0; k < n; k++) {
    if (in[k] && t == 0)
      cells[0] = k; // expect 3: race on 'cells'
    for (int j = 0; j < 2; j++) {
      __syncthreads();
      if (!in[k] && t == 1)
        sum += cells[0];
      if (in[k])
        __syncthreads();
    }
  }
#elif BUG == 4
  if (n < 5)
    return;
  for (int k = 0; k < n; k++)
    if (k == 0) {
      __syncthreads();
      if (t == 1)
        sum = cells[0]; // expect 4: race on 'cells'
    }
  if (t == 0)
    cells[0] = 1;
#elif BUG == 5
  for (int k = 0, x = t; k < n; k++, x = x * x) {
    if (t == 1)
      cells[x & 63] = k; // expect 5: race on 'cells'
    __syncthreads();
    if (t == 0)
      sum += cells[x * x + 1 & 63];
  }
#elif BUG == 7
  for (int k = 0; k < n; k++) {
    if (t == 0)
      cells[0] = k; // expect 7: race on 'cells'
    __syncthreads();
    sum += __shfl_down_sync(0xffffffff, k, 1);
    if (t == 1)
      sum += cells[0];
  }
#else
  for (int k = 0; k < n; k++) {
    int y = 0;
    for (int j = 0; j < k; j++)
      y++;
    cells[t + y & 1023] = t; // expect 6: race on 'cells'
    if (in[k])
      __syncthreads();
  }
#endif
  out[t] = sum;
}
