// An address stays inside an object where it is computed, and by whom: nothing
// is known of it before.
//
// args:    --blockDim=64 --gridDim=1
// verdict: verified, verified
// bug 1:   racy, verified     the write is before it
// bug 2:   racy, verified     in the branch of another thread
// bug 3:   racy, verified     only an annotation computes it
// bug 4:   verified, racy     it is behind the loop
// bug 5:   verified, racy     threads that leave the loop do not come there

__global__ void straight(char *cell, int *in, long n) {
  int t = threadIdx.x;
  bool is_far = n > (1l << 62);
#if BUG == 1
  if (is_far)
    cell[0] = t; // expect 1: race on 'cell'
  __syncthreads();
#elif BUG == 2
  if (t < 32)
    in[n + t] = 1;
#elif BUG == 3
  __assert(in[n] < 5 || in[n] > 3);
#endif
  if (BUG != 2 && BUG != 3)
    in[n + t] = 1;
  __syncthreads();
  if (is_far)
    cell[0] = t; // expect 2,3: race on 'cell'
}

__global__ void loops(char *cell, int *in, long n, int m) {
  int t = threadIdx.x;
  bool is_far = n > (1l << 62);
  int i = 0;
  do {
    if (BUG == 4 && is_far)
      cell[0] = t; // expect 4: race on 'cell'
    if (BUG == 5 && i == t)
      break;
    if (BUG != 4)
      in[n + t] = 1;
  } while (++i < m);
  if (BUG == 4)
    in[n + t] = 1;
  else if (is_far)
    cell[0] = t; // expect 5: race on 'cell'
}
