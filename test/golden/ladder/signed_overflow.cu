// A picture whose rows have gaps, with signed numbers: only where an index
// overflows may two threads meet.
//
// args:     --ladder=all --blockDim=16,16
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-signed-overflow
// bug 1:    racy  columns go on behind the end of a row, without any overflow
// bug 2:    racy  the index is made of unsigned numbers, which wrap by right
// bug 3:    racy  a row is counted from its last element, and rows overlap
__global__ void paint(int *pixel, int width, int height, int gap) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (width > 65000 || gap < 0 || gap > 65000)
    return;
#if BUG == 1
  if (x <= width && y < height)
    pixel[y * width + x] = x; // expect 1: possible write-write race on 'pixel'
#elif BUG == 2
  if (x < width && y < height)
    pixel[(unsigned)(y ^ 9) * (width + gap) + x] = y; // expect 2: possible write-write race on 'pixel'
#elif BUG == 3
  if (x < width && y < height)
    pixel[y * (width - gap) + x] = y; // expect 3: possible write-write race on 'pixel'
#else
  if (x < width && y < height)
    pixel[y * (width + gap) + x] = y;
#endif
}
