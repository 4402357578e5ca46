// What is assumed later in a round says nothing of a thread that has not come
// there: in bug 1 one reads where another, which has left the loop, writes.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the read comes before the assumption

#include <gpuverify.h>

__global__ void rounds(const int *in, int *out, int n) {
  __shared__ int cells[64];
  int t = threadIdx.x, sum = 0;
  cells[t] = t;
  for (int i = 0;; i++) {
    __syncthreads(); // allow 1: race on 'cells'
    int v = in[i * 64 + t];
#if BUG != 1
    __assume(v == n);
#endif
    if (v == 0)
      sum += cells[63 - t]; // expect 1: race on 'cells'
    __assume(v == n);
    if (v != 0)
      break;
  }
  cells[t] = sum;
  out[t] = cells[t];
}
