// What an inner loop has computed decides about another round with a barrier.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  threads go round the inner loop differently often

__global__ void rounds(int *out, int n) {
  int t = threadIdx.x, x;
  do {
    x = 1;
    for (int j = 0; j < (BUG == 1 ? t : n); j++)
      x = 3 * x + 1;
    out[t] = x;
    __syncthreads(); // expect 1: leave the loop around this barrier
  } while (x & 4);
}
