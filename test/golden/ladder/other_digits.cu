// An element's number is taken apart, and put together with digits of other
// sizes: each element of a picture is one of four of a larger one, or goes where
// its column comes first.
//
// args:     --assume=no-signed-overflow,arguments-not-negative,no-division-by-zero
// verdict:  verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-signed-overflow, no-division-by-zero, arguments-not-negative
// bug 1:    racy, verified  all columns of a row are one element
// bug 2:    verified, racy  all channels go to one picture

__global__ void enlarge(float *to, int channels, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= channels * rows * columns)
    return;
  int channel = i / columns / rows, row = i / columns % rows, column = i % columns;
#if BUG == 1
  column = 0;
#endif
  to[channel * (2 * rows) * (2 * columns) + 2 * row * (2 * columns) + 2 * column] = i; // expect 1: race on 'to'
}

__global__ void transpose(float *to, int channels, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= channels * rows * columns)
    return;
  int channel = i / columns / rows, row = i / columns % rows, column = i % columns;
#if BUG == 2
  to[column * rows + row] = i; // expect 2: race on 'to'
#else
  to[(column * channels + channel) * rows + row] = i;
#endif
}
