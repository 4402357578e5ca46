// Fills a volume of 32 x 16 x 8 cells with blocks of 8 x 8 x 4 threads.
//
// args:     --blockDim=[8,8,4] --gridDim=[4,2,2]
// verdict:  verified
// bug 1:    racy       planes of 32 x 15 cells overlap

__global__ void fill(int *cell) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
#if BUG == 1
  int plane = 32 * 15;
#else
  int plane = 32 * 16;
#endif
  cell[z * plane + y * 32 + x] = z; // expect 1: write-write race on 'cell'
}
