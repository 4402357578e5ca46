// What an invariant reads, nobody else may write until all have come to the
// barrier.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  the neighbour writes it
// bug 2:    assertion  ... the same to all, which is tolerated of writes
// bug 3:    assertion  ... with an atomic

#include <gpuverify.h>

__global__ void look(int n) {
  __shared__ int cell[64], all[1];
  int t = threadIdx.x;
  cell[t] = t;
  __barrier_invariant_1(cell[t] == t, t);
  __syncthreads();
  if (BUG == 1)
    cell[t ^ 1] = 5;
  if (BUG == 3)
    atomicAdd(&cell[t ^ 1], 5);
  if (t == 0 || BUG == 2)
    all[0] = 5;
  __barrier_invariant_1(cell[t] == t, t); // expect 1,3: another thread may write
  __barrier_invariant_1(t != 0 || all[0] == 5, t); // expect 2: another thread
  __syncthreads();
  __assert(cell[t] == t);
}
