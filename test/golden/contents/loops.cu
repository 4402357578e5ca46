// What an iteration leaves in memory the next one finds there, and who comes
// behind the loop.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  it is not yet what this iteration leaves
// bug 2:    assertion  before the first one there is something else
// bug 3:    assertion  something is written at the end
// bug 4:    assertion  ... but not always
// bug 5:    assertion  ... in an inner loop
// bug 6:    racy       the barrier is not always there
// bug 7:    assertion  the last iteration, if there was none
// bug 8:    assertion  it may be left early
// bug 9:    assertion  a value of the iteration before, which nobody knows
// bug 10:   assertion  the iteration before the last

#include <gpuverify.h>

__global__ void rounds(int n, int m) {
  __shared__ int cell[64];
  int t = threadIdx.x, next = (t + 1) % 64;
  int given = 0;
  int at = BUG == 3 || BUG == 4 || BUG == 5 ? t : next;
  int start = BUG == 2 ? t + 5 : t;
  cell[t] = start;
  __barrier_invariant_2(cell[t] == (BUG == 2 ? t + 5 : t), t, next);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    int there = cell[at];
    __assert(there == at + i + (BUG == 1) + given); // expect 1,2,3,4,5,6,9: may fail
    if (BUG == 8 && i == m)
      break;
    __syncthreads();
    cell[t] = t + i + 1 + given; // expect 6: race on 'cell'
    if (BUG != 6 || i != m) {
      __barrier_invariant_2(cell[t] == t + i + 1 + given, t, next);
      __syncthreads();
    }
    if (BUG == 3 || (BUG == 4 && i == m))
      cell[t] = 5;
    for (int k = 0; BUG == 5 && k < m; k++)
      cell[t] = t + i;
    given = BUG == 9 ? 3 * given + m : 0;
  }
  int last = cell[at];
  if (n > 0 || BUG == 7)
    __assert(last == at + n - (BUG == 10)); // expect 3,4,5,6,7,8,9,10: may fail
}
