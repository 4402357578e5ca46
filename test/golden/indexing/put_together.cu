// An element is taken apart into plane, row and column of any size, and put
// together again.
//
// verdict: verified, verified, verified, verified
// assumes: thread-count, unused-dimensions, launch-limits
// bug 1:   racy, verified, verified, verified  the row is one of another number of rows
// bug 2:   verified, racy, verified, verified  the rows are as long as there are rows
// bug 3:   verified, verified, racy, verified  what is left of a row is more than it has
// bug 4:   verified, verified, verified, racy  there are more elements than are counted

__global__ void by_two_quotients(int planes, int rows, int columns, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= planes * rows * columns || (BUG == 1 && (rows != 4 || columns != 8)))
    return;
  int plane = i / rows / columns;
  int row = i / columns % (rows - (BUG == 1));
  int column = i % columns;
  int of_plane = rows * columns;
  out[plane * of_plane + row * columns + column] = i; // expect 1: race on 'out'
}

__global__ void of_any_number(int rows, int columns, int *out, int elements) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= elements || (BUG == 2 && (rows != 4 || columns != 8)))
    return;
  int column = i % columns;
  int row = i / columns % rows;
  int plane = i / columns / rows;
  int length = BUG == 2 ? rows : columns;
  out[(plane * rows + row) * length + column] = i; // expect 2: race on 'out'
}

__global__ void by_what_is_left(int rows, int columns, int *out, int elements) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= elements || (BUG == 3 && (rows != 4 || columns != 8)))
    return;
  int plane = i / (rows * columns);
  int left = i - plane * columns * rows;
  int row = left / columns;
  int column = left - row * (BUG == 3 ? rows : columns);
  out[(plane * rows + row) * columns + column] = i; // expect 3: race on 'out'
}

__global__ void unsigned_of_two(unsigned rows, unsigned columns, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns || (BUG == 4 && columns != 8))
    return;
  unsigned row = i / columns;
  unsigned column = i % (columns - (BUG == 4));
  out[column + columns * row] = i; // expect 4: race on 'out'
}
