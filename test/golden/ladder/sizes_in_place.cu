// A product of sizes counts where it is in the place as a whole, and where the
// place is accessed; its rows are those that somebody comes to.
//
// args:     --ladder=all --blockDim=256 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, no-alias, benign-writes, sizes-fit
// bug 1:    racy  what it began with is taken away again
// bug 2:    racy  an argument takes it away
// bug 3:    racy  steps that may go down
// bug 4:    racy  no bytes are set
// bug 5:    racy  a loop that some threads stay in decides who comes
// bug 6:    racy  what is read decides who comes
// bug 7:    racy  a factor that may be zero
// bug 8:    racy  few bits of it are the place
// bug 9:    racy  what is read may take it away
// bug 10:   racy  a bound says more than the size
// bug 11:   racy  the place came round to where it is

#include <gpuverify.h>

__global__ void rows(int *out, int *cell, const unsigned *in, const int *ints,
                     unsigned size, unsigned n) {
  unsigned t = threadIdx.x, first = t * size;
#if BUG == 1
  for (unsigned k = 0, i = first; k < n; k++, i += 64)
    out[i - first] = 1; // allow 1: race on 'out'
#elif BUG == 2
  out[first - n + t] = 1; // allow 2: race on 'out'
#elif BUG == 3
  int *p = out + first;
  for (unsigned k = 0; k < n; k++, p += ints[k])
    p[0] = 1; // allow 3: race on 'out'
#elif BUG == 4
  __builtin_memset(out + first, 0, n); // allow 4: race on 'out'
#elif BUG == 5
  for (unsigned k = t; k < n; k += 256)
    if (k < 4)
      out[first] = 1;
#elif BUG == 6
  if (in[t] == 5)
    out[first] = 1;
#elif BUG == 7
  out[first * (t < 4)] = 1;
#elif BUG == 8
  out[first << 30] = 1;
#elif BUG == 9
  out[first + in[t]] = 1;
#elif BUG == 10
  if (t < n && t < 4)
    out[first] = 1;
#elif BUG == 11
  while (first > 4096 && n)
    first += 64;
  out[first] = 1;
#else
  out[first + (n & 7)] = 1;
#endif
  cell[size > 1u << 27 ? 0 : 1 + t] = (int)t; // expect 1,2,3,4,5,6,7,8,9,10,11: race on 'cell'
}
