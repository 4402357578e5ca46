// Every thread fills a square of its own, row by row.
//
// args:     --blockDim=32 --gridDim=2
// verdict:  verified
// bug 1:    racy       a square has 16 rows, not 17

__global__ void squares(int *out) {
  int t = blockIdx.x * 32 + threadIdx.x;
#if BUG == 1
  int rows = 17;
#else
  int rows = 16;
#endif
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < 16; x++)
      out[t * 256 + y * 16 + x] = t; // expect 1: write-write race on 'out'
}
