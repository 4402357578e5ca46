// An element is taken apart into plane, row and column, by the size of a plane.
//
// args:    --assume=no-signed-overflow,arguments-not-negative
// verdict: verified, verified, verified
// assumes: thread-count, unused-dimensions, launch-limits, no-signed-overflow, arguments-not-negative
// bug 1:   racy, verified, verified  the size of a plane is that of a larger one
// bug 2:   verified, racy, verified  the row is found by the number of rows
// bug 3:   verified, verified, racy  the plane is found by the number of rows

__global__ void by_planes(int planes, int rows, int columns, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= planes * rows * columns || (BUG == 1 && (rows != 4 || columns != 8)))
    return;
  int plane = i / (columns * (rows + (BUG == 1)));
  int row = i / columns % rows;
  int column = i % columns;
  out[(plane * rows + row) * columns + column] = i; // expect 1: race on 'out'
}

__global__ void by_what_is_left(int planes, int rows, int columns, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= planes * rows * columns || (BUG == 2 && (rows != 4 || columns != 8)))
    return;
  int plane = i / (rows * columns);
  int row = i % (columns * rows) / (BUG == 2 ? rows : columns);
  int column = i % columns;
  out[(plane * rows + row) * columns + column] = i; // expect 2: race on 'out'
}

__global__ void by_four(int boxes, int planes, int rows, int columns, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= boxes * planes * rows * columns ||
      (BUG == 3 && (planes != 8 || rows != 4 || columns != 8)))
    return;
  int box = i / (planes * rows * columns);
  int plane = i / (rows * columns) % planes;
  int row = i / columns % rows;
  int column = i % columns;
  if (BUG == 3)
    plane = i / (rows * columns) % rows;
  out[((box * planes + plane) * rows + row) * columns + column] = i; // expect 3: race on 'out'
}
