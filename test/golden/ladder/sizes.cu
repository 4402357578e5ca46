// A picture with unsigned numbers: the product of its sizes is the number of
// its pixels, for which the host has memory.
//
// args:     --ladder=all --blockDim=16,16
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, sizes-fit
// bug 1:    racy  nothing bounds the row, so no product of sizes is meant
// bug 2:    racy  rows overlap by one pixel
// bug 3:    racy  the last pixel of a row is the first of the next one
__global__ void paint(int *pixel, unsigned width, unsigned height) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
#if BUG == 1
  if (x < width)
    pixel[(y ^ 7) * width + x] = y; // expect 1: possible write-write race on 'pixel'
#elif BUG == 2
  if (x < width && y < height)
    pixel[y * (width - 1) + x] = y; // expect 2: possible write-write race on 'pixel'
#elif BUG == 3
  if (x <= width && y < height)
    pixel[y * width + x] = y; // expect 3: possible write-write race on 'pixel'
#else
  if (x < width && y < height)
    pixel[y * width + x] = y;
#endif
}
