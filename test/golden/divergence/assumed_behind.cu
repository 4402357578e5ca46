// Threads that leave a loop are told by an assumption behind it.  It holds
// where control passes it, and says nothing of a thread that waits before it.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified
// bug 1:    divergent, verified    a thread leaves early and waits
// bug 2:    verified, divergent    the same, the loop being in another one

#include <gpuverify.h>

__global__ void rounds(const int *in, int n) {
  int i;
  for (i = 0; i < 10 && i < in[BUG == 1 ? threadIdx.x : 0]; i++)
    __syncthreads(); // expect 1: leave the loop around this barrier
  __syncthreads();
  __assume(i == 10);
}

__global__ void rounds_of_rounds(const int *in, int n) {
  for (int k = 0; k < n; k++) {
    int i;
    for (i = 0; i < 10 && i < in[BUG == 2 ? threadIdx.x : k]; i++)
      __syncthreads(); // expect 2: leave the loop around this barrier
    __syncthreads();
    __assume(i == 10);
  }
}
