// Behind a loop that threads leave in different rounds, a value is another one
// in each thread, though it is the same in all of them round by round.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  a count of own rounds decides about a barrier
// bug 2:    divergent  the same, by way of the loop around
// bug 3:    divergent  the same, the rounds being ended by a break
// bug 4:    divergent  the same, as index of a read that decides
// bug 5:    racy       the same, as index of a read that decides who writes
// bug 6:    divergent  the same, the rounds being ended by what was read
// bug 7:    divergent  the same, the rounds being ended by an atomic
// bug 8:    divergent  the same, where a second loop begins
// bug 9:    divergent  a return in an inner loop, by what is read

__global__ void count(int *out, int *in, int n) {
  __shared__ int flags[64];
  int t = threadIdx.x, rounds = 0, even = 0;
  flags[t] = t & 1;
  __syncthreads(); // allow 1,2,3,4,6,7,8: barrier
#if BUG == 0
  while (rounds < n)
    rounds++;
#elif BUG == 2
  for (int i = 0; i < n; i++) {
    if (even & 1)
      __syncthreads(); // expect 2: barrier
    int y = even;
    for (int j = 0; j < (t & 1); j++)
      y++;
    even = y;
  }
#elif BUG == 3
  for (;;) {
    if (rounds == 9)
      break;
    if (rounds == t)
      break;
    rounds++;
  }
#elif BUG == 6
  while (in[t] > rounds && rounds < 63)
    rounds++;
#elif BUG == 7
  while (atomicAdd(in, 1) < 10)
    rounds++;
#elif BUG == 9
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++)
      if (j == in[t])
        return;
  __syncthreads(); // expect 9: barrier
#else
  while (rounds < t)
    rounds++;
#endif
#if BUG == 0 || BUG == 1 || BUG == 3
  if (rounds & 1)
    __syncthreads(); // expect 1,3: barrier
#elif BUG == 4 || BUG == 6 || BUG == 7
  int flag = flags[rounds & 63];
  __syncthreads(); // allow 4,6,7: barrier
  if (flag)
    __syncthreads(); // expect 4,6,7: barrier
#elif BUG == 5
  if (flags[rounds] == (t & 1))
    out[0] = t; // expect 5: race on 'out'
#elif BUG == 8
  for (int x = rounds; x < n; x = x * 3 + 1)
    if (x & 2)
      __syncthreads(); // expect 8: barrier
#endif
  out[t + 64] = even;
}
