// Every pixel of a picture has its thread, whatever the sizes of the picture,
// of the blocks and of the grid.
//
// args:     --no-overflow
// verdict:  verified
// bug 1:    racy       no guard: past the row end is the next row's start
// bug 2:    racy       the height is no width

__global__ void brighten(const unsigned char *from, unsigned char *to,
                         int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
#if BUG == 1
  if (y < height) {
#else
  if (x < width && y < height) {
#endif
#if BUG == 2
    int pixel = y * height + x;
#else
    int pixel = y * width + x;
#endif
    to[pixel] = from[pixel] + x; // expect 1,2: race on 'to'
  }
}
