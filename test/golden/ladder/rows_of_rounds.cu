// Rows that a loop goes through: all of them, if it ends at their number and
// nowhere else.
//
// args:     --assume=sizes-fit --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy     it ends where data says
// bug 2:    racy     it ends at a row that the host says
// bug 3:    racy     it ends at the thread's own row
// bug 4:    racy     it ends at another bound
// bug 5:    racy     it leaves rows out

typedef unsigned Number;

__global__ void rows(int *out, int *table, const int *flags, Number count,
                     Number size, Number last) {
  Number t = threadIdx.x;
#if BUG == 5
  for (Number row = 0; row < count; row += count) {
#else
  for (Number row = 0; row < count; row++) {
#endif
    table[row * size] = 1;
    // No number of rows of two has a product that does not fit.
    out[count > 0x7fffffffu && size > 1 ? 0 : t] = (int)t; // expect 1,2,3,4,5: race on 'out'
#if BUG == 1
    if (flags[row])
      break;
#elif BUG == 2
    if (row == last)
      break;
#elif BUG == 3
    if (row == t)
      break;
#elif BUG == 4
    if (row >= last)
      break;
#endif
  }
}
