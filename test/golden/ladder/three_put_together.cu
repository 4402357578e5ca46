// An element of a volume is taken apart by remainders that are taken away and
// put together again, in a grid stride: what it is put together to is the
// index, and what is said of the operations on the way is asked by nobody.
//
// args:    --assume=no-signed-overflow,no-division-by-zero,sizes-fit,arguments-not-negative
// verdict: verified
// assumes: thread-count, unused-dimensions, launch-limits, termination, no-signed-overflow, no-division-by-zero, sizes-fit, arguments-not-negative
// bug 1:   racy  the plane is found by the square of its height
// bug 2:   racy  a row begins before the last one ends

__global__ void number(int rows, int columns, int planes, int *to) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x;
       i < planes * rows * columns; i += blockDim.x * gridDim.x) {
    if (BUG == 1 && (rows != 16 || columns != 4))
      continue;
    int column = i % columns;
    int row = (i - column) / columns % rows;
    int rest = i - columns * row - column;
    int plane = rest / (BUG == 1 ? rows * rows : rows * columns);
    int row_size = BUG == 2 ? columns - 1 : columns;
    int place = rows * columns * plane + row_size * row + column;
    to[place] = i; // expect 1,2: race on 'to'
  }
}
