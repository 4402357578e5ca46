// A picture of three numbers a cell, with unsigned numbers: the rows of cells
// fit, and so many numbers for each of them.
//
// args:     --ladder=all --no-confirm
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination, sizes-fit
// bug 1:    racy     a fourth number is the first one of the next cell
// bug 2:    racy     two numbers a cell have room
// bug 3:    racy     columns are not looked at

__global__ void invert(unsigned char *out, const unsigned char *in,
                       unsigned columns, unsigned rows) {
  enum { NUMBERS = 3, ROOM = BUG == 2 ? 2 : 3 };
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if ((BUG != 3 && x >= columns) || y >= rows)
    return;
  for (int i = 0; i < NUMBERS + (BUG == 1); i++)
    out[(y * columns + x) * ROOM + i] = in[x + 7 * y + i]; // expect 1,2,3: race on 'out'
}
