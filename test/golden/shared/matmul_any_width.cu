// Multiplies matrices whose width is an argument, tile by tile.
//
// args:     --blockDim=[16,16] --gridDim=[8,8]
// verdict:  verified
// bug 1:    racy       no barrier after loading the tiles
// bug 2:    racy       the width is not that of the grid: rows overlap

__global__ void matmul(const float *a, const float *b, float *c, int width) {
#if BUG == 2
  __requires(width >= 16 && width <= 4096);
#else
  __requires(width >= 128 && width <= 4096);
#endif
  __shared__ float left[16][16], right[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int k = 0; k < width; k += 16) {
    left[ty][tx] = a[row * width + k + tx];
    right[ty][tx] = b[(k + ty) * width + column];
#if BUG != 1
    __syncthreads();
#endif
    for (int i = 0; i < 16; i++)
      sum += left[ty][i] * right[i][tx]; // expect 1: read-write race on
    __syncthreads();
  }
  c[row * width + column] = sum; // expect 2: write-write race on 'c'
}
