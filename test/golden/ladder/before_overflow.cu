// What overflows later excuses nothing that goes wrong before: a thread that
// waits at a barrier for ever computes nothing any more.
//
// args:     --ladder=all --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  the product behind the barrier overflows if n is so large
// bug 2:    racy       so it does, and threads write to one cell before it
// bug 3:    racy       the product in the other branch overflows
#include <gpuverify.h>
__global__ void square(int *cell, int n) {
  int t = threadIdx.x;
#if BUG == 1
  if (n > 50000 && t == 0)
    __syncthreads(); // expect 1: barrier
  cell[t] = n * n;
#elif BUG == 2
  if (n > 50000)
    cell[t / 2] = t; // expect 2: race on 'cell'
  __syncthreads();
  cell[t] = n * n;
#elif BUG == 3
  if (n > 50000)
    cell[t / 2] = t; // expect 3: race on 'cell'
  else
    cell[t] = n * n;
#else
  cell[t] = n * n;
#endif
}
