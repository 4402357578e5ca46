// Inverts an image, one pixel a thread, in 16 x 16 tiles; the row length is
// that of the grid.
//
// args:     --blockDim=[16,16] --gridDim=[8,8]
// verdict:  verified
// bug 1:    racy       the row length is that of a tile

__global__ void invert(unsigned char *pixel) {
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
#if BUG == 1
  int pitch = 16;
#else
  int pitch = gridDim.x * 16;
#endif
  unsigned char *p = &pixel[y * pitch + x];
  *p = 255 - *p; // expect 1: race on 'pixel'
}
