// Transposes a square matrix by 32 x 32 tiles of shared memory, padded by a
// column, with 32 x 8 threads that take four rows each.
//
// args:     --blockDim=[32,8] --gridDim=[32,32]
// verdict:  verified
// bug 1:    racy       no barrier between the two halves
// bug 2:    racy       the blocks of a row write the same tile

__global__ void transpose(const float *in, float *out) {
  __shared__ float tile[32][33];
  const int width = 32 * 32;
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
#if BUG != 1
  __syncthreads();
#endif
  x = blockIdx.y * 32 + threadIdx.x;
#if BUG == 2
  y = threadIdx.y;
#else
  y = blockIdx.x * 32 + threadIdx.y;
#endif
  for (int j = 0; j < 32; j += 8) {
    int row = threadIdx.y + j;
    float value = tile[threadIdx.x][row]; // expect 1: race on 'tile'
    out[(y + j) * width + x] = value;     // expect 2: write-write race on 'out'
  }
}
