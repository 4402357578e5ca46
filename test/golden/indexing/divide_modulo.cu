// Maps a flat index to rows and columns of 12 and stores column by column.
//
// args:     --blockDim=60 --gridDim=4
// verdict:  verified
// bug 1:    racy       columns have 20 cells, not 19

__global__ void by_column(int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned row = i / 12, column = i % 12;
#if BUG == 1
  out[column * 19 + row] = row; // expect 1: write-write race on 'out'
#else
  out[column * 20 + row] = row;
#endif
}
