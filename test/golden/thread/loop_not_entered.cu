// Some threads do not enter a loop.  What is known of those that have been in
// it is not known of them.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       an invariant says who enters
// bug 2:    racy       the rounds, which a barrier keeps in step, are done

__global__ void rounds(int *out, int n) {
  int t = threadIdx.x, x = 1;
  if (t >= 32 && n > 0)
    for (; __invariant(t >= 32), x < n; x = 3 * x + 1)
      if (n < 0)
        __syncthreads();
#if BUG == 1
  if (t < 2)
    out[0] = t; // expect 1: write-write race on 'out'
#elif BUG == 2
  if (t == 0 || (t == 40 && x > 5))
    out[0] = t; // expect 2: write-write race on 'out'
#endif
  if (t == 40)
    out[1] = x;
}
