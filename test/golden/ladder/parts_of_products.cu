// A product of sizes that fits says of its parts that they fit, if no other
// factor is 0 and it is the product of all of them.
//
// args:     --assume=sizes-fit --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy     a factor may be 0
// bug 2:    racy     a product of some of the factors may have wrapped
// bug 3:    racy     a product with another factor
// bug 4:    racy     the product fits, but in more bits

typedef unsigned Number;
typedef unsigned long long Long;

__global__ void parts(int *out, const int *table, Number rows, Number height,
                      Number width, Number depth) {
  Number t = threadIdx.x;
#if BUG != 2
  if (Long(height) * width > 0xffffffffu)
    return;
#endif
#if BUG != 1
  if (width == 0)
    return;
#endif
  if (t >= rows)
    return;
#if BUG == 4
  if (Long(rows) * height >= 1ull << 40)
    return;
#endif
#if BUG == 3
  bool wraps = rows * depth != Long(rows) * depth;
#else
  bool wraps = rows * height != Long(rows) * height;
#endif
#if BUG == 4
  int read = 0;
#else
  int read = table[t * (height * width)];
#endif
  out[wraps ? 64 : t] = read + (int)t; // expect 1,2,3,4: race on 'out'
}
