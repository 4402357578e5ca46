// Gauss-Jordan-like elimination in shared memory: the pivot row is read by all
// while the other rows change.
//
// args:     --blockDim=[16,16] --gridDim=1
// verdict:  verified
// bug 1:    racy       the pivot row changes, too
// bug 2:    racy       no barrier between reading the factor and updating

__global__ void eliminate(const float *in, float *out) {
  __shared__ float m[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  m[y][x] = in[y * 16 + x];
  __syncthreads();
  for (int k = 0; k < 16; k++) {
    float factor = m[y][k]; // expect 2: read-write race on 'm'
#if BUG != 2
    __syncthreads();
#endif
#if BUG == 1
    m[y][x] -= factor * m[k][x]; // expect 1: read-write race on 'm'
#else
    if (y != k)
      m[y][x] -= factor * m[k][x];
#endif
    __syncthreads();
  }
  out[y * 16 + x] = m[y][x];
}
