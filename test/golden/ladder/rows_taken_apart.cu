// What the product of sizes is said of: rows that a quotient or a remainder
// counts.
//
// args:     --assume=sizes-fit,no-division-by-zero --blockDim=64
// verdict:  verified, verified, verified
// bug 1:    racy, verified, verified  the quotient is not of what is below m * n
// bug 2:    verified, racy, verified  the rows are counted by a mask
// bug 3:    verified, verified, racy  what is added may take it away again
// bug 4:    racy, verified, verified  another number divides it
// bug 5:    verified, racy, verified  not all rows are come to
// bug 6:    verified, verified, racy  a multiple may take it away again
// bug 7:    verified, verified, racy  so may the sum of two numbers

typedef unsigned Number;

// No number of rows of two has a product that does not fit.
__device__ bool is_too_large(Number rows, Number size) {
  return rows > 0x7fffffffu && size > 1;
}

__global__ void quotient(int *out, const int *table, Number m, Number n,
                         Number size, Number other) {
  Number t = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  if (t < m)
#elif BUG == 4
  if (t < m * other)
#else
  if (t < m * n)
#endif
    out[is_too_large(m, size) ? 64 : t] = // expect 1,4: race on 'out'
        table[t / n * size] + (int)t;
}

__global__ void remainder(int *out, const int *table, Number m, Number n,
                          Number size) {
  Number t = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 5
  if (t >= m)
    return;
#else
  if (t >= m * n)
    return;
#endif
#if BUG == 2
  Number row = t & n;
#else
  Number row = t % n;
#endif
  out[is_too_large(n, size) ? 64 : t] = // expect 2,5: race on 'out'
      table[row * size] + (int)t;
}

__global__ void added(int *out, const int *table, Number m, Number n,
                      Number size, int before) {
  Number t = blockIdx.x * blockDim.x + threadIdx.x, all = m * n;
  if (t >= all)
    return;
#if BUG == 3
  Number more = t % n + (Number)before / 2 * 2;
#elif BUG == 6
  Number more = (Number)before / 3 * 3;
#elif BUG == 7
  Number more = (Number)before / 3 + (Number)before / 2;
#else
  Number more = t % n + t;
#endif
  bool is_lost = is_too_large(n, size) && (int)more < -2000;
  out[is_lost ? 64 : t] = // expect 3,6,7: race on 'out'
      table[t % n * size + more] + (int)t;
}
