// What an invariant says of a thread is used for those that the annotation
// names, of whom nothing is known but what follows from their number, and what
// all have in common.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    assertion  there is no such thread
// bug 2:    assertion  the value is another one in another thread
// bug 3:    assertion  ... which nobody knows
// bug 4:    assertion  ... for it has gone round another number of times
// bug 5:    assertion  it did not come to the barrier
// bug 6:    assertion  it says nothing of those threads
// bug 7:    assertion  it does not hold
// bug 8:    assertion  it says nothing of that cell
// bug 9:    racy       in another block there is something else
// bug 10:   assertion  nobody is named
// bug 11:   racy       nobody came to the barrier

#include <gpuverify.h>

__global__ void named(int n, int *out, const int *in) {
  __shared__ int cell[65];
  int t = threadIdx.x, next = BUG == 1 ? t + 1 : (t + 1) % 64, rounds = 0;
  int own = n * 3 + blockIdx.x + in[blockIdx.x];
  if (BUG == 2)
    own = t * 3;
  if (BUG == 3)
    own = out[t];
  for (int i = 0; BUG == 4 && i < t; i++)
    rounds += 2;
  own += rounds;
  if (BUG == 5 && t >= n)
    return;
  if (BUG != 6 || t % 2 == 0)
    cell[t] = own; // allow 11: race on 'cell'
  int named = BUG == 10 ? t : next;
  if (BUG != 11 || n > 3) {
    __barrier_invariant_2(cell[t] == own + (BUG == 7) || // expect 7: may fail
                              (BUG == 6 && t % 2),
                          t, named);
    __syncthreads();
  }
  __assert(cell[t] == own);                      // allow 6,7,11: may fail
  int there = cell[BUG == 8 ? t / 2 : next]; // expect 11: race on 'cell'
  __assert(there == own); // expect 1,2,3,4,5,6,8,10,11: may fail
  out[4096 + 64 * blockIdx.x + t] = own;
  if (BUG == 9 && t == 0 && cell[t] == blockIdx.x)
    out[0] = blockIdx.x; // expect 9: race on 'out'
}
