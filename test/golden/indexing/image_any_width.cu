// Turns a picture of any reasonable size, given column by column, into rows.
//
// args:     --blockDim=[16,16] --gridDim=[8,8] --strict
// verdict:  verified
// bug 1:    racy       no guard: past the row end is the next row's start
// bug 2:    racy       any width: row 4 of 2^30 pixels is row 0 again

__global__ void to_rows(const int *columns, int *rows, int width, int height) {
#if BUG != 2
  __requires(width <= 4096);
#endif
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
#if BUG == 1
  if (y < height) {
#else
  if (x < width && y < height) {
#endif
    int value = columns[x * height + y];
    rows[y * width + x] = value; // expect 1,2: write-write race on 'rows'
  }
}
