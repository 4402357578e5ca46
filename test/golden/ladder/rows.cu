// Rows whose number comes from the launch, or in sizes of 64 bits: for an array
// of so many rows the host has memory.
//
// args:     --assume=sizes-fit --blockDim=16,4
// verdict:  verified, verified, verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, sizes-fit
// bug 1:    racy, verified, verified, verified  a number of columns below zero is no size
// bug 2:    racy, verified, verified, verified  rows overlap by one element
// bug 3:    verified, racy, verified, verified  the last row of a block is the next one's first
// bug 4:    verified, racy, verified, verified  what is added to the row is not below its factor
// bug 5:    verified, verified, racy, verified  the last of a row is the first of the next one
// bug 6:    verified, verified, verified, racy  a row has more columns than there are blocks

__global__ void row_of_block(const float *in, float *out, int columns) {
  int i = threadIdx.x;
  if (threadIdx.y)
    return;
#if BUG == 1
  if ((unsigned)i < (unsigned)columns)
#else
  if (i < columns)
#endif
    out[blockIdx.x * (columns - (BUG == 2)) + i] = in[i]; // expect 1,2: race on 'out'
}

__global__ void row_of_thread(const float *in, float *out, unsigned rows,
                              unsigned columns) {
  unsigned row = blockIdx.y * rows + (BUG == 4 ? 2 : 1) * threadIdx.y;
  unsigned column = threadIdx.x;
  if (threadIdx.y < rows + (BUG == 3) && column < columns)
    out[row * columns + column] = in[column]; // expect 3,4: race on 'out'
}

__global__ void long_rows(const float *in, float *out, unsigned long rows,
                          unsigned long columns) {
  unsigned long row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned long column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < columns + (BUG == 5) && row < rows)
    out[row * columns + column] = in[column]; // expect 5: race on 'out'
}

__global__ void row_of_grid(const float *in, float *out) {
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.y == 0)
    out[blockIdx.y * gridDim.x * (BUG == 6 ? 1 : blockDim.x) + column] = in[column]; // expect 6: race on 'out'
}
