// Sums seven neighbours; the block's cells and a halo of three on each side
// are loaded to shared memory first.
//
// args:     --blockDim=64 --gridDim=16
// verdict:  verified
// bug 1:    racy       no barrier after loading
// bug 2:    racy       the right halo starts where the cells are

__global__ void stencil(const int *in, int *out) {
  const int radius = 3;
  __shared__ int cell[64 + 2 * 3];
  int t = threadIdx.x, g = blockIdx.x * 64 + t;
  cell[t + radius] = in[g + radius];
  if (t < radius) {
    cell[t] = in[g];
#if BUG == 2
    cell[t + 64] = in[g + 64 + radius]; // expect 2: write-write race on 'cell'
#else
    cell[t + 64 + radius] = in[g + 64 + radius];
#endif
  }
#if BUG != 1
  __syncthreads();
#endif
  int sum = 0;
  for (int k = -radius; k <= radius; k++)
    sum += cell[t + radius + k]; // expect 1: read-write race on 'cell'
  out[g] = sum;
}
