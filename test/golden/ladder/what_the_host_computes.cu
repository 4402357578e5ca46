// Nothing is assumed that holds in launches alone which the host cannot make, as
// its arithmetic overflows in them.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, launch-limits, whole-warps
// bug 1:    racy      blocks are half a warp too large, as the host computes them
// bug 2:    verified  .. or whole warps, as it computes them
// bug 3:    racy      a number that the host makes a negative one
// bug 4:    racy      two sizes of blocks, and one has no whole warps
// bug 5:    verified  .. both have
// bug 6:    racy      a size that is large in one of two launches
// bug 7:    unknown   rows that are longer than what is between them
// bug 8:    unknown   .. in one of two launches
// bug 9:    racy      one of three sizes of blocks, by two conditions

#if BUG <= 2
__global__ void leaders(int *out, int w) {
  int t = threadIdx.x;
  if (t % 32 == 0)
    out[blockIdx.x * (blockDim.x / 32) + t / 32] = t; // expect 1: race on 'out'
}
#elif BUG == 3
__global__ void clear(int *cell, int start, int n) {
  if (start < 0)
    cell[0] = threadIdx.x; // expect 3: race on 'cell'
}
#elif BUG <= 5 || BUG == 9
__global__ void leaders(int *out) {
  int t = threadIdx.x;
  if (t % 32 == 0)
    out[blockIdx.x * (blockDim.x / 32) + t / 32] = t; // expect 4,9: race on 'out'
}
#elif BUG == 6
__global__ void planes(unsigned *out, unsigned n, unsigned m) {
  if (blockIdx.x < n && m)
    out[blockIdx.x * m] = blockIdx.x; // expect 6: race on 'out'
}
#else
__global__ void rows(float *out, int width, int height, int pitch) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x < width && y < height)
    out[y * pitch + x] = x + y; // expect 7,8: 'out'
}
#endif

void launch(int *out, unsigned *large, float *to, int n, bool is_small,
            bool is_large) {
#if BUG == 0
  leaders<<<8, n>>>(out, n);
#elif BUG == 1
  leaders<<<8, 32 * n + 16>>>(out, n);
#elif BUG == 2
  leaders<<<8, 32 * n + 64>>>(out, n);
#elif BUG == 3
  if (n >= 1)
    clear<<<1, 64>>>(out, n - 2 * n, n);
#elif BUG == 4
  leaders<<<8, is_small ? 48 : 64>>>(out);
#elif BUG == 5
  leaders<<<8, is_small ? 96 : 64>>>(out);
#elif BUG == 6
  planes<<<8192, 1>>>(large, 8192, is_small ? 1024 : 1048576);
#elif BUG == 7
  rows<<<dim3(1, 1), dim3(16, 4)>>>(to, 2 * n, 4, n);
#elif BUG == 8
  rows<<<dim3(1, 1), dim3(16, 4)>>>(to, n, 4, is_small ? n / 2 : n);
#elif BUG == 9
  leaders<<<8, is_large ? 64 : is_small ? 48 : 96>>>(out);
#endif
}
