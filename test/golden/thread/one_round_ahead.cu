// One thread is a round ahead.  What a round hands on is known early of a
// thread behind it only if no inner loop has yet to make it.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the place goes on with an inner loop's rounds
// bug 2:    racy       the same, as a series of numbers
// bug 3:    racy       the same, the inner loop reading there
// bug 4:    racy       the same, two inner loops deep

__global__ void places(int *out, int n, int m) {
  __shared__ int cells[4096];
  int t = threadIdx.x, place = 0, sum = 0;
#if BUG == 3
  place = 7;
#endif
  for (int k = 0; k < n; k++) {
    if (t == 0)
      cells[place] = k; // expect 1,2,3,4: race on 'cells'
    __syncthreads();
    int y = place;
#if BUG == 1
    for (int j = 0; j < m; j++) {
      if (t == 1)
        sum += cells[y + 2]; // expect 1: race on 'cells'
      y++;
    }
#elif BUG == 2
    y = 0;
    for (int j = 0; j < 5; j++) {
      y = (y * 3 + 1) & 1023;
      if (t == 1)
        sum += cells[y]; // expect 2: race on 'cells'
    }
#elif BUG == 3
    y = 0;
    while (y < 4)
      sum += cells[++y]; // expect 3: race on 'cells'
#elif BUG == 4
    for (int j = 0; j < m; j++)
      for (int i = 0; i < j; i++) {
        if (t == 1)
          sum += cells[y + 2]; // expect 4: race on 'cells'
        y++;
      }
#else
    sum += cells[place];
    __syncthreads();
    y = y * 3 + 1 & 1023;
#endif
    place = y;
  }
  out[t] = sum;
}
