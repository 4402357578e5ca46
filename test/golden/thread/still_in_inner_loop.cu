// Each round has a barrier, then an inner loop, and one thread may still be in
// the inner loop of the last round when another has left both.  What the round
// decides at its end says nothing of a thread that has not come there.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       no barrier behind the last round
// bug 2:    racy       the same, the inner loop being left in its middle
// bug 3:    racy       the same, with a barrier in all rounds but the last
// bug 4:    racy       the same, the outer loop being left in its middle
// bug 5:    racy       the same, an inner loop ahead instead of around
// bug 6:    racy       the same, the threads of one warp alone
// bug 7:    racy       the same, by way of a switch
// bug 8:    racy       the same, the rounds in two nested loops

__global__ void sums(int *out, int n) {
  __shared__ int cells[64];
  int sum = 0, t = threadIdx.x, j;
  cells[t] = t;
#if BUG == 8
  for (int k = 0; k < n; k++)
#endif
    for (int i = 0; i < n; i++) {
#if BUG == 6
      __syncwarp();
      for (j = 0; j < 32; j++)
        sum += cells[(t & 32) + j]; // expect 6: race on 'cells'
#else
      __syncthreads(); // allow 1,2,3,4,5,7,8: race on 'cells'
#if BUG == 2
      for (j = 0;; j++) {
        if (cells[j] < i) // expect 2: race on 'cells'
          break;
        if (j == t)
          break;
      }
#elif BUG == 3
    for (j = 0; j < 4; j++)
      if (i == n - 1)
        sum += cells[j]; // expect 3: race on 'cells'
    if (i < n - 1)
      __syncthreads();
#elif BUG == 5
    sum += cells[63 - t]; // expect 5: race on 'cells'
    for (j = 0; j < t; j++)
      sum += j;
    if (sum < 0)
      continue;
#elif BUG == 7
    for (j = 0; j < 64; j++)
      switch (sum & 3) {
      case 0:
        sum += cells[j]; // expect 7: race on 'cells'
        break;
      case 1:
        j = 64;
        break;
      default:
        sum++;
      }
#else
    for (j = 0; j < 64; j++)
      sum += cells[j]; // expect 1,4,8: race on 'cells'
#endif
#if BUG == 4
      if (i == 7)
        break;
#endif
#endif
    }
#if BUG == 0
  __syncthreads();
#endif
  cells[t] = sum; // expect 1,2,3,4,5,6,7,8: race on 'cells'
  __syncthreads();
  out[t] = cells[63 - t];
}
