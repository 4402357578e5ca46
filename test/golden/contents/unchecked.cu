// Of arrays that are not asked about nobody knows whether others write them.
//
// args:     --blockDim=32 --gridDim=1 --check-arrays=other
// verdict:  assertion

#include <gpuverify.h>

__global__ void unchecked(int *other) {
  __shared__ int cell[32];
  int t = threadIdx.x;
  cell[t] = t;
  cell[t ^ 1] = 5;
  other[t] = 1;
  __barrier_invariant_1(cell[t ^ 1] == 5, t); // expect 0: may fail
  __syncthreads();
}
