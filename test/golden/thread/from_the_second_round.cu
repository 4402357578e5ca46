// In the first round nobody stores, in the others everybody does.  The first
// round and the later ones are two intervals, of which the formulas are the
// same and the facts are not.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       all store in one cell
// bug 2:    racy       the same where there was a barrier, and never without

__global__ void rounds(int *out, int m, int n) {
  __shared__ int cells[64];
  int t = threadIdx.x, x = t;
  do {
    if (x != t)
#if BUG == 1
      cells[0] = t; // expect 1: race on 'cells'
#else
      cells[t] = t;
#endif
    __syncthreads();
    x = 3 * x + 1;
  } while (--m > 0);
#if BUG == 2
  if (n > 5)
    __syncthreads();
  if (n > 7)
    cells[1] = t; // expect 2: race on 'cells'
#endif
  out[t] = cells[t];
}
