// Rows that are wider than what is in them: the distance of two rows is no less
// than the width that the code keeps to.
//
// args:     --ladder=all --blockDim=16,4
// verdict:  verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, sizes-fit, rows-fit
// bug 1:    racy, verified  the distance is the other size of the picture
// bug 2:    racy, verified  the last of a row may be the first of the next one
// bug 3:    racy, verified  columns are counted by twos, as many as a row has
// bug 4:    verified, racy  what is below the width is no column
// bug 5:    verified, racy  what is compared with the distance is not far
// bug 6:    verified, racy  the column is taken away
// bug 7:    verified, racy  rows that are told as unsigned are below zero
// bug 8:    verified, racy  what is read and written in place may be windows that overlap
// bug 9:    verified, racy  what a value is compared with is not far

__global__ void add(const float *a, float *sum, int width, int height, int pitch) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
#if BUG == 1
  if (x < width && y < height)
    sum[x + y * height] = a[x]; // expect 1: race on 'sum'
#elif BUG == 2
  if (x <= width && y < height)
    sum[x + y * pitch] = a[x]; // expect 2: race on 'sum'
#elif BUG == 3
  if (x < width && y < height)
    sum[2 * x + y * pitch] = a[x]; // expect 3: race on 'sum'
#else
  if (x >= width || y >= height)
    return;
  sum[x + y * pitch] = a[x + y * pitch] + y;
#endif
}

__global__ void copy(const float *from, float *to, int width, int height, unsigned columns, size_t pitch) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
#if BUG == 7
  y = (int)(0x80000000u + threadIdx.y);
  if (x == 0 && blockIdx.y == 0 && (unsigned)y < columns && pitch > 8)
#elif BUG == 4
  if (blockIdx.x == 0 && y >= 0 && y + 15 < width)
#elif BUG == 5
  if (x < width && y < height && (pitch > 8 || y < 2))
#else
  if (x < width && y < height)
#endif
#if BUG == 8
    to[y * pitch + x] += from[x]; // expect 8: race on 'to'
#elif BUG == 9
    to[y * pitch + x] = from[x] + (y < (int)pitch); // expect 9: race on 'to'
#elif BUG == 6
    to[y * pitch - x + columns] = from[x]; // expect 6: race on 'to'
#else
    to[y * pitch + x] = from[x] + y; // expect 4,5,7: race on 'to'
#endif
}
