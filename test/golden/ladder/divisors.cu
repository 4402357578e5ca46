// What a thread has divided by is not 0, or C says nothing of the program.
//
// args:     --ladder=all --blockDim=64 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, no-alias, no-division-by-zero
// bug 1:    racy  who comes to the cell has not divided yet
// bug 2:    racy  half of the threads do not divide
// bug 3:    racy  a loop without a round does not divide
// bug 4:    racy  the divisor that is tested for 0 does not divide
// bug 5:    racy  what an assertion computes is not executed
// bug 6:    racy  the division is behind a barrier, where nobody is yet
// bug 7:    racy  a divisor may be 1
// bug 8:    racy  what is shifted to the right is not divided
#include <gpuverify.h>
__global__ void share(int *cell, unsigned *out, unsigned d, unsigned n) {
  unsigned t = threadIdx.x;
#if BUG == 1
  cell[d ? t : 0] = t; // expect 1: possible write-write race on 'cell'
  out[t] = t / d;
#elif BUG == 2
  if (t & 1)
    out[t] = t / d;
  cell[d ? t : 0] = t; // expect 2: possible write-write race on 'cell'
#elif BUG == 3
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += t / d;
  out[t] = sum;
  cell[d ? t : 0] = t; // expect 3: possible write-write race on 'cell'
#elif BUG == 4
  if (!d || t / d > n)
    cell[d ? t : 0] = t; // expect 4: possible write-write race on 'cell'
#elif BUG == 5
  __assert(t / d <= t || !d);
  cell[d ? t : 0] = t; // expect 5: possible write-write race on 'cell'
#elif BUG == 6
  cell[d ? t : 0] = t; // expect 6: possible write-write race on 'cell'
  __syncthreads();
  out[t] = t / d;
#elif BUG == 7
  out[t] = t % d;
  cell[d == 1 ? 0 : t] = t; // expect 7: possible write-write race on 'cell'
#elif BUG == 8
  out[t] = t >> d;
  cell[d ? t : 0] = t; // expect 8: possible write-write race on 'cell'
#else
  out[t] = n ? t % d : t / d;
  cell[d ? t : 0] = t;
#endif
}
