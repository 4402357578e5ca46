// What a loop with a barrier leaves in memory decides behind it: nobody is still in
// the loop and writes there, for all have left it together.
//
// args:     --blockDim=64 --gridDim=1 --only-divergence
// verdict:  verified, verified, verified
// bug 1:    divergent, verified, verified  who is in the last round writes and leaves from there
// bug 2:    divergent, verified, verified  whoever writes may not come to the end of the round
// bug 3:    divergent, verified, verified  what follows the barrier writes
// bug 4:    verified, divergent, verified  a round ends with a write
// bug 5:    verified, divergent, verified  each thread has a cell of its own
// bug 6:    divergent, verified, verified  it is read before all have left
// bug 7:    verified, verified, divergent  it is another run of the loop

#include <gpuverify.h>

__global__ void sum(const int *in, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  cell[t] = in[t];
  __syncthreads();
  for (int s = 32; s > (BUG == 1 ? t & 1 : 0); s >>= 1) {
    if (t < s)
      cell[t] += cell[t + s];
    if (BUG == 1 && s == 1)
      break;
    if (BUG == 2)
      __assume(s > 1 || t > 0);
    if (BUG == 6 && cell[0] > n)
      __syncthreads(); // expect 6: barrier
    __syncthreads();
    if (BUG == 3)
      cell[t] = t;
  }
  if (cell[0] > n)
    __syncthreads(); // expect 1,2,3: barrier
}

__global__ void last(const int *in, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x, round = 0;
  do {
    cell[t] = in[t] + round;
    __syncthreads();
    if (BUG == 4)
      cell[t] = round;
  } while (++round < n);
  if (cell[BUG == 5 ? t : 0] > n)
    __syncthreads(); // expect 4,5: barrier
}

__global__ void runs(const int *in, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  for (int run = 0; run < 3; run++) {
    if (BUG != 7)
      __syncthreads();
    for (int i = 0; i < run; i++) {
      cell[t] = in[t];
      __syncthreads();
    }
    if (cell[0] > n)
      __syncthreads(); // expect 7: barrier
  }
}
