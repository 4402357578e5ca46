// Warps are numbered over all blocks without signs, and the number of a row is
// an int that is made of that: each warp has two rows, or one if no more are
// left.  A row may be below zero as far as anyone knows, but no two are one.
//
// args:     --blockDim=*,*,1 --gridDim=*,*,* --assume=no-signed-overflow,sizes-fit
// verdict:  verified, verified
// assumes:  thread-count, launch-limits, termination, no-signed-overflow, sizes-fit
// bug 1:    racy, verified  the last element is that of the next row, too
// bug 2:    racy, verified  blocks of other columns of the grid have one number
// bug 3:    verified, racy  a warp has the second row of the one before, too
// bug 4:    verified, racy  rows are a multiple of the elements apart, but for one

__global__ void row_each(int *out, int rows, int columns) {
  unsigned size = BUG == 2 ? 1 : gridDim.x;
  unsigned block = blockIdx.x + size * (blockIdx.y + gridDim.y * blockIdx.z);
  int row = blockDim.y * block + threadIdx.y, column = threadIdx.x;
  if (row < rows && column < columns + (BUG == 1))
    out[row * columns + column] = 32 * blockIdx.x + threadIdx.y; // expect 1,2: race on 'out'
}

__global__ void rows_each(int *out, int rows, int columns) {
  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int first = (blockDim.y * block + threadIdx.y) * (BUG == 3 ? 1 : 2);
  int left = rows - first, column = threadIdx.x;
  if (left > 2)
    left = 2;
  for (int i = 0; i < left; i++)
    if (column < columns)
      out[first * columns + i * (columns - (BUG == 4)) + column] = 32 * block + 2 * threadIdx.y + i; // expect 3,4: race on 'out'
}
