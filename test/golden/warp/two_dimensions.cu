// A warp has two rows of a block of two dimensions.
//
// args:     --blockDim=[16,8] --gridDim=1
// verdict:  verified
// bug 1:    racy       the row after the next is another warp's

__global__ void swap(int *out) {
  __shared__ int cell[8][16];
  int x = threadIdx.x, y = threadIdx.y;
  cell[y][x] = x;
  __syncwarp();
  out[16 * y + x] = cell[y ^ (BUG ? 2 : 1)][x]; // expect 1: race on 'cell'
}
