// One thread reads and then spins for ever in an inner loop, while the others
// go round once more and leave the loop around.  That they do says nothing of
// a thread that never comes to the end of its round.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       reads what the others store behind the loop

__global__ void rounds(const int *in, int *out) {
  __shared__ int cells[64];
  int t = threadIdx.x, sum = 0;
  unsigned i;
  for (i = 0;; i++) {
    if (i % 2 == 0)
      __syncthreads();
    if (t == 63 && i == 2) {
#if BUG == 1
      sum = cells[0];
#endif
      while (t == 63)
        sum++;
    }
    if (in[i])
      break;
    if (i % 2 == 1)
      __syncthreads();
  }
  if (i == 3)
    cells[t] = sum; // expect 1: read-write race on 'cells'
}
