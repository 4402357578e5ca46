// Threads in lock step write one after the other, and do not race.
//
// args:     --blockDim=32 --gridDim=1 --warp-sync=32
// verdict:  assertion

#include <gpuverify.h>

__global__ void step(void) {
  __shared__ int cell[32];
  int t = threadIdx.x;
  cell[t] = t;
  cell[t ^ 1] = 5;
  __barrier_invariant_1(cell[t] == t, t); // expect 0: may fail
  __syncthreads();
}
