// Writes a 32 x 32 tile of shared memory with columns swizzled by the row, as
// is done against bank conflicts.
//
// args:     --blockDim=[32,32] --gridDim=2
// verdict:  verified
// bug 1:    racy       `or` instead of `xor` is not one-to-one

__global__ void swizzle(int *out) {
  __shared__ int tile[32 * 32];
  unsigned row = threadIdx.y, column = threadIdx.x;
#if BUG == 1
  tile[row * 32 + (column | row)] = column; // expect 1: race on 'tile'
#else
  tile[row * 32 + (column ^ row)] = column;
#endif
  __syncthreads();
  out[(blockIdx.x * 32 + row) * 32 + column] = tile[row * 32 + column];
}
