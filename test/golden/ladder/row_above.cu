// A picture of which the inner cells are made from their neighbours, with sizes
// of 64 bits: the row above is read at a row less, which takes nothing away
// from the rows that there are; of those a cell is one that is not the first.
//
// args:     --ladder=all --no-confirm
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, sizes-fit
// bug 1:    racy     the cell to the left is written as well
// bug 2:    racy     a picture narrower than an edge has any number of columns

typedef unsigned long Size;

enum { EDGE = 8 };

__device__ bool is_inner(Size at, Size size) {
  return at >= EDGE && at < size - EDGE;
}

__global__ void propagate(float *next, const float *now, Size rows,
                          Size columns) {
  Size x = blockIdx.x * blockDim.x + threadIdx.x;
  Size y = blockIdx.y * blockDim.y + threadIdx.y;
#if BUG != 2
  if (x >= columns || y >= rows)
    return;
#endif
  if (!is_inner(x, columns) || !is_inner(y, rows))
    return;
  Size at = y * columns + x;
  float around = now[at - columns] + now[at + columns] - now[at - 1];
  next[at] = around - next[at]; // expect 1,2: race on 'next'
#if BUG == 1
  next[at - 1] = 0; // expect 1: race on 'next'
#endif
}
