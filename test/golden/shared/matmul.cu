// Multiplies two 64 x 64 matrices by 16 x 16 tiles.
//
// args:     --blockDim=[16,16] --gridDim=[4,4]
// verdict:  verified
// bug 1:    racy       no barrier after loading the tiles
// bug 2:    racy       no barrier before the next tiles are loaded

__global__ void matmul(const float *a, const float *b, float *c) {
  __shared__ float left[16][16], right[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int k = 0; k < 64; k += 16) {
    left[ty][tx] = a[row * 64 + k + tx];
    right[ty][tx] = b[(k + ty) * 64 + column];
#if BUG != 1
    __syncthreads();
#endif
    for (int i = 0; i < 16; i++)
      sum += left[ty][i] * right[i][tx]; // expect 1,2: read-write race on
#if BUG != 2
    __syncthreads();
#endif
  }
  c[row * 64 + column] = sum;
}
