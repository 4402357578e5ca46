// Sizes that a program computes of others: a picture with an edge around it,
// rows of vectors, parts of numbers that have two.
//
// args:     --ladder=all --no-confirm
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, sizes-fit
// bug 1:    verified the edge is of each row
// bug 2:    verified half of a row
// bug 3:    verified vectors of four and a rest
// bug 4:    verified rows but the last cell
// bug 5:    verified both parts of complex numbers
// bug 6:    racy     rows overlap by two cells
// bug 7:    racy     the edge is not between the rows
// bug 8:    racy     a size whose bits are turned
// bug 9:    racy     rows are one cell too short
// bug 10:   racy     a row that is longer than what is an edge

typedef unsigned long Size;

#if BUG == 1
#define PITCH (columns + 2)
#define PLACE ((y + 1) * PITCH + x + 1)
#elif BUG == 2
#define PITCH (columns / 2)
#define PLACE (y * PITCH + x)
#elif BUG == 3
#define PITCH ((columns + 3) / 4)
#define PLACE (y * PITCH + x)
#elif BUG == 4
#define PITCH (columns - 1)
#define PLACE (y * PITCH + x)
#elif BUG == 5
#define PITCH columns
#define PLACE (2 * (y * PITCH + x) + 1)
#elif BUG == 6
#define PITCH columns
#define PLACE (y * (columns - 2) + x)
#elif BUG == 7
#define PITCH (columns + 2)
#define PLACE (y * columns + x)
#elif BUG == 8
#define PITCH (columns ^ 3)
#define PLACE (y * PITCH + x)
#elif BUG == 9
#define PITCH columns
#define PLACE (y * (columns / 2) + x)
#elif BUG == 10
#define PITCH columns
#define PLACE (y * (columns + 2000) + x)
#else
#define PITCH columns
#define PLACE (y * (columns + 2) + x)
#endif

__global__ void copy(float *out, const float *in, Size columns, Size rows) {
  Size x = blockIdx.x * blockDim.x + threadIdx.x;
  Size y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < PITCH && y < rows)
    out[PLACE] = in[7 * x + y]; // expect 6,7,8,9,10: race on 'out'
}
