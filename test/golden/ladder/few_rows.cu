// A loop of so many rounds as a number says goes over so many rows.
//
// args:     --ladder=all --no-confirm
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, termination, sizes-fit
// bug 1:    racy     the first of a row is the last of the one before
// bug 2:    racy     rows are less than a row apart

__global__ void add(int *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  if (i <= n)
#else
  if (i < n)
#endif
    for (unsigned row = 0; row < 4; row++)
#if BUG == 2
      out[row * (n - 1) + i] += row; // expect 2: race on 'out'
#else
      out[row * n + i] += row; // expect 1: race on 'out'
#endif
}
