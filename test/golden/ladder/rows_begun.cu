// A thread goes down the rows of something.  Where it begins is behind some rows
// that a loop of known rounds has gone down before, or behind padding.
//
// args:     --assume=no-signed-overflow,arguments-not-negative --blockDim=32 --timeout=3
// verdict:  verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, termination, no-signed-overflow, arguments-not-negative
// bug 1:    racy, verified  rows of unsigned numbers may come round
// bug 2:    racy, verified  a row ends before its last number
// bug 3:    racy, verified  rows of one number, from the last one on
// bug 4:    verified, racy  padding is unsigned, and may bring it round

#if BUG == 1
typedef unsigned Number;
#else
typedef int Number;
#endif
#if BUG == 4
typedef unsigned Padding;
#else
typedef int Padding;
#endif

__global__ void behind_rows(int *__restrict__ out, const int *__restrict__ in,
                            Number width, Number rows) {
  Number x = blockIdx.x * blockDim.x + threadIdx.x;
  Number row = BUG == 3 ? -1 : width - (BUG == 2);
  Number at = x;
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    sum += in[at];
    at += row;
  }
  for (Number y = 0; y < rows; y++) {
    at += row;
    if (x < width)
      out[at] = sum + x; // expect 1,2,3: race on 'out'
  }
}

__global__ void behind_padding(int *__restrict__ out, int width, int rows,
                               Padding padding) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  Padding at = x + padding;
  for (int y = 0; y < rows; y++) {
    at += width;
    if (x < width)
      out[at] = x; // expect 4: race on 'out'
  }
}
