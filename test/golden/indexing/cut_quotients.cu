// A place is a row and a column of a picture, which are kept as ints though the
// picture's sizes are longer, and may be below 0 for all that is known.
//
// args:
// verdict:  verified
// bug 1:    racy      two threads have one place

__global__ void mark(signed char *picture, const long long rows, const long long columns) {
  const long long at = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / (BUG == 1 ? 2 : 1);
  const int row = at / columns, column = at % columns;
  if (row >= rows || column >= columns)
    return;
  picture[row * columns + column] = 1 + threadIdx.x; // expect 1: race on 'picture'
}
