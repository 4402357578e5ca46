// An element is taken apart by taking away the parts that are known already.
//
// verdict: verified, verified
// assumes: thread-count, unused-dimensions, launch-limits
// bug 1:   racy, verified   the column is not taken away twice
// bug 2:   verified, racy   the row is one of another number of rows

__global__ void by_plane(int rows, int columns, int planes, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= planes * rows * columns || (BUG == 1 && (rows != 4 || columns != 8)))
    return;
  int column = i % columns;
  int row = (i - column) / columns % rows;
  int plane = (i - columns * row - column) / (rows * columns);
  if (BUG == 1)
    plane = (i - columns * row) / (rows * columns + 1);
  out[rows * columns * plane + columns * row + column] = i; // expect 1: race on 'out'
}

__global__ void by_row(unsigned rows, unsigned columns, int *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || columns == 0 || (BUG == 2 && (rows != 4 || columns != 8)))
    return;
  unsigned column = i % columns;
  unsigned row = (i - column) / (columns + (BUG == 2));
  out[row * columns + column] = i; // expect 2: race on 'out'
}
