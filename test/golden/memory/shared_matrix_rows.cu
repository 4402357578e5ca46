// Each thread copies a row of a two-dimensional shared array to another row.
//
// args:     --blockDim=16 --gridDim=1
// verdict:  verified
// bug 1:    racy       a row is one cell longer than declared

__global__ void rows(const int *in, int *out) {
  __shared__ int m[16][8];
  int t = threadIdx.x;
#if BUG == 1
  int length = 9;
#else
  int length = 8;
#endif
  for (int x = 0; x < length; x++)
    (&m[t][0])[x] = in[t * 16 + x]; // expect 1: write-write race on 'm'
  __syncthreads();
  for (int x = 0; x < 8; x++)
    out[t * 8 + x] = m[15 - t][x];
}
