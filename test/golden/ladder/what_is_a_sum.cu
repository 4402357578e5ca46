// Which sums of a counter, products, arguments and annotations the names of the
// ladder are about, where the debug information, an inner sum, a branch of an
// annotation or the place of a product tells otherwise than it seems.
//
// args:    --ladder=all --blockDim=64 --gridDim=1
// verdict: verified
// bug 1:   racy  in the signed sum of a counter there is one that wraps by right
// bug 2:   racy  two negative steps, which together wrap to one that goes up
// bug 3:   racy  the annotation has branches, and the product is behind one
// bug 4:   racy  the product stands in an assertion
// bug 5:   racy  it stands in what the compiler may assume
// bug 6:   racy  a character is unsigned, whatever its type is called
// bug 7:   racy  so are the bits of a wide float
// bug 8:   racy  a product that only a condition is made of has no size
// bug 9:   racy  what is negative is below each size, and says nothing of it
// bug 10:  racy  whether a wide character has a sign is another matter

#include <gpuverify.h>

__global__ void fill(int *cell, int start, unsigned from, unsigned n,
                     char32_t letter, wchar_t wide, long double real) {
  unsigned t = threadIdx.x;
  bool is_own = true;
#if BUG == 1
  for (int i = start, j = 0; i < 0x70000000 && j < 3; j++) {
    cell[i < 0 && start >= 0 ? 64 : t] = (int)t; // expect 1: race on 'cell'
    i = (int)((unsigned)i + 0x40000000u) + 1;
  }
#elif BUG == 2
  int less = (int)(0x80000001u - (from & 1));
  for (int i = 0x7fffffff, j = 0; i > (int)n && j < 2; j++) {
    cell[i < 0 && from < 2 ? 64 : t] = (int)t; // expect 2: race on 'cell'
    i = (i + less) + less;
  }
#elif BUG == 3
  __requires(from != 5 && (int)from * (int)from != 7);
  is_own = (int)from < 50000;
#elif BUG == 4
  __assert((int)from * (int)from != 7 || (int)from * (int)from == 7);
  is_own = (int)from < 50000;
#elif BUG == 5
  __builtin_assume((int)from * (int)from != 7);
  is_own = (int)from < 50000;
#elif BUG == 6
  is_own = letter <= 0x7fffffff;
#elif BUG == 7
  is_own = __builtin_bit_cast(long long, real) >= 0;
#elif BUG == 8
  if (t < n && from > 0)
    is_own = t * from >= t;
#elif BUG == 9
  int x = (int)(t ^ 0x80000000);
  if (n >= 64 && n <= 0x7fffffff && from > 0 && x < (int)n)
    cell[(unsigned)x * from] = (int)t; // expect 9: race on 'cell'
  return;
#elif BUG == 10
  is_own = wide >= 0;
#endif
  cell[is_own ? t : 64] = (int)t; // expect 3,4,5,6,7,8,10: race on 'cell'
}
