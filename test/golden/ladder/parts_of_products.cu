// A product of sizes that fits says of its parts that they fit, if no other
// factor is 0 and it is the product of all of them.
//
// args:     --assume=sizes-fit --blockDim=64 --timeout=2
// verdict:  verified
// bug 1:    unknown  a factor may be 0
// bug 2:    unknown  a product of some of the factors may have wrapped
// bug 3:    unknown  a product with another factor
// bug 4:    unknown  the product fits, but in more bits

typedef unsigned Number;
typedef unsigned long long Long;

// The number t, if a * b fits.
__device__ Number place(Number t, Number a, Number b) {
  bool wraps = a * b != Long(a) * b;
  Number plane = t / (a * b), row = t / b % a, column = t % b;
  return wraps ? 64 : (plane * a + row) * b + column;
}

__global__ void parts(Number *out, const Number *table, Number rows,
                      Number height, Number width, Number depth) {
  Number t = blockIdx.x * blockDim.x + threadIdx.x;
  if (height == 0 || depth == 0 || rows * height == 0 || rows * depth == 0)
    return;
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
  Number read = 0;
#else
  Number read = table[t * (height * width)];
#endif
  Number at = place(t, rows, BUG == 3 ? depth : height);
  out[at] = read + t; // expect 1,2,3,4: not decided
}
