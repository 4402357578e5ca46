// An index that goes from row to row beside the counter of a loop, which is
// what the loop compares.
//
// args:     --ladder=all --blockDim=256 --gridDim=*
// verdict:  verified
// assumes:  thread-count, launch-limits, termination, no-signed-overflow
// bug 1:    racy  by unsigned sums it comes round by right
// bug 2:    racy  an argument that takes it back and forth
// bug 3:    racy  a row has one element less
// bug 4:    racy  not in each round

__global__ void fill_rows(int *out, int rows, int length, int step) {
  int column = blockIdx.x * 256 + threadIdx.x;
  if (column >= length)
    return;
#if BUG == 1
  unsigned at = column;
#else
  int at = column;
#endif
#if BUG == 2
  length = step ^ 0x40000000 ^ -1;
#elif BUG == 3
  length--;
#endif
  for (int row = 0; row < rows; row++) {
    out[at] = row + column; // expect 1,2,3,4: write-write race on 'out'
#if BUG == 4
    if (row & step)
      at++;
    else
#endif
    at += length;
  }
}
