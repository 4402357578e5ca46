// The same in a grid stride, whose index is natural if it does not wrap.
//
// args:    --blockDim=256 --assume=no-division-by-zero,sizes-fit,arguments-not-negative
// verdict: verified
// assumes: thread-count, unused-dimensions, launch-limits, termination, no-division-by-zero, sizes-fit, arguments-not-negative
// bug 1:   racy  the row is found by the number of rows

__global__ void count(int rows, int columns, int *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    if (BUG == 1 && (rows != 16 || columns != 4))
      continue;
    int column = i % columns;
    int row = (i - column) / (BUG == 1 ? rows : columns);
    out[row * columns + column] = i; // expect 1: race on 'out'
  }
}
