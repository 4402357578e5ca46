// Not all threads enter the loop around the barrier, but then the barrier is
// not executed: who does not enter goes round as often as it likes.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  the last thread does not enter and the barrier is

__global__ void rounds(int *out, int n, int m) {
  int t = threadIdx.x, sum = 0;
  if (t < m)
    for (int i = 0; i < n; i++) {
      if (m >= 64 - (BUG == 1))
        __syncthreads(); // expect 1: barrier
      sum += i;
    }
  out[t] = sum;
}
