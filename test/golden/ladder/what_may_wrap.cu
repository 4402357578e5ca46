// Arithmetic that wraps by right is no signed overflow: under the names of the
// ladder these race as they do without.
//
// args:    --ladder=all --blockDim=64 --gridDim=1
// verdict: verified
// bug 1:   racy  an unsigned counter, compared as signed, comes round
// bug 2:   racy  a sequence of numbers, until its highest bit is set
// bug 3:   racy  what a signed counter gets is an unsigned sum
// bug 4:   racy  a signed product stands in an annotation alone
// bug 5:   racy  a switch makes signed comparisons of an unsigned number
// bug 6:   racy  bits of a float
// bug 7:   racy  an unsigned product that is no size
// bug 8:   racy  a difference of sizes times another
// bug 9:   unknown  a signed counter overflows in each thread that comes behind it

#include <gpuverify.h>

__global__ void fill(int *cell, unsigned seed, unsigned from, unsigned to,
                     float real) {
  unsigned t = threadIdx.x;
  bool is_own = true;
#if BUG == 1
  if (t == 63)
    return;
  for (unsigned i = t; (int)i >= 0; i += 0x10000000u)
    cell[t] = 0;
  is_own = false;
#elif BUG == 2
  unsigned x = seed;
  for (int k = 0; k < 8 && (int)x >= 0; k++)
    x += 0x08000000u;
  is_own = (int)x >= 0;
#elif BUG == 3
  int i = (int)t;
  for (unsigned k = 0; i >= 0 && k < 2; k++)
    i += from;
  is_own = i >= 0;
#elif BUG == 4
  __requires((int)from * (int)from != 7);
  is_own = (int)from < 50000;
#elif BUG == 5
  switch (from) {
  case 0x80000000u:
    is_own = false;
    break;
  case 3:
  case 7:
    t += 64;
    break;
  }
#elif BUG == 6
  is_own = __float_as_int(real) >= 0;
#elif BUG == 7
  is_own = seed * from < 0x10000u || seed < 0x10000u || from < 0x10000u;
#elif BUG == 8
  if (t < seed)
    is_own = seed * (to - from) <= 0xffff0000u || from < to;
#elif BUG == 9
  if (t == 63)
    return;
  for (int i = (int)t; i >= 0; i += 0x10000000)
    cell[t] = 0;
  is_own = false;
#endif
  cell[is_own ? t : 64] = (int)t; // expect 1,2,3,4,5,6,7,8: race on 'cell'
}
