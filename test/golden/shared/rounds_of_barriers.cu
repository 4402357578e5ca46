// Barriers in an inner loop: who goes on behind that loop without one of them
// has not gone through its first round.
//
// args:     --blockDim=64
// verdict:  verified, verified, verified
// bug 1:    racy, verified, verified  nobody need go round
// bug 2:    racy, verified, verified  the first row has no round
// bug 3:    racy, verified, verified  the barrier is in later rounds alone
// bug 4:    verified, racy, verified  the loop comes behind both accesses
// bug 5:    verified, racy, verified  the loop comes before the barrier
// bug 6:    verified, racy, verified  the barrier may be left out
// bug 7:    verified, verified, racy  rounds are counted from where another loop ends
// bug 8:    verified, verified, racy  one of the two loops is left at once
// bug 9:    verified, racy, verified  the loop comes before the barrier, the accesses in another loop
// bug 10:   verified, racy, verified  what is read in the first round is not what is read in the last

__global__ void sum_rows(int *sums, const int *in, unsigned n) {
  __shared__ int part[64];
  unsigned t = threadIdx.x;
  for (unsigned row = 0; row < n; row++) {
    part[t] = in[row * 64 + t]; // expect 1,2,3: race on 'part'
    __syncthreads();
#if BUG == 1
    for (unsigned s = n / 4; s > 0; s /= 2) {
#elif BUG == 2
    for (unsigned s = 32 * row; s > 0; s /= 2) {
#elif BUG == 3
    for (unsigned s = 32; s > 31; s >>= 1) {
#else
    for (unsigned s = 32; s > 0; s >>= 1) {
#endif
      int more = t < s % 64 ? part[(t + s) % 64] : 0;
#if BUG == 3
      if (s == 32)
        continue;
#endif
      __syncthreads();
      part[t] += more;
      __syncthreads();
    }
    if (t == 0 && blockIdx.x == 0)
      sums[row] = part[BUG == 1 || BUG == 2 ? 1 : 0];
  }
}

__global__ void between(int *out, int n) {
  __shared__ int cell[65];
  int t = threadIdx.x, seen = 0;
  for (int i = 0; i < 9; i++) {
#if BUG == 4
    cell[t] = i; // expect 4: race on 'cell'
    seen += cell[t + 1];
#elif BUG == 5
    for (int s = 4; s > 0; s /= 2)
      __syncthreads();
    __syncthreads();
    cell[t] = i; // expect 5: race on 'cell'
    seen += cell[t + 1];
#elif BUG == 9
    for (int s = 4; s > 0; s /= 2)
      __syncthreads();
    __syncthreads();
    for (int s = 2; s > 0; s--) {
      cell[t] = i; // expect 9: race on 'cell'
      seen += cell[t + 1];
      __syncthreads();
    }
#elif BUG == 10
    __shared__ int flags[5];
    int flag = 0;
    if (t < 5)
      flags[t] = n >> t & 1;
    cell[t] = i;
    __syncthreads();
    seen += cell[t + 1];
    int s = 4;
    do {
      flag = flags[s];
      if (flag && s == 4)
        __syncthreads();
    } while (--s > 0);
    if (flag)
      cell[t] = seen; // expect 10: race on 'cell'
    __syncthreads();
#else
    cell[t] = i; // expect 6: race on 'cell'
#endif
    for (int s = 4; s > 0; s /= 2)
#if BUG == 6
      if (n > 3)
#endif
        __syncthreads();
#if BUG != 4 && BUG != 5 && BUG < 9
    seen += cell[t + 1];
    __syncthreads();
#endif
  }
  out[blockIdx.x * blockDim.x + t] = seen;
}

__global__ void of_two(int *out, int n) {
  __shared__ int cell[65];
  int t = threadIdx.x, seen = 0;
  for (int i = 0; i < n; i++) {
    int k = 0;
#if BUG == 7
    while (k * k < n)
      k++;
#endif
    cell[t] = i; // expect 7,8: race on 'cell'
    for (int a = k; a < 2; a++)
      for (int b = BUG == 8 ? n : a; b < 3; b++)
        __syncthreads();
    seen += cell[t + 1];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = seen;
}
