// A row of a signed number of elements, below zero or not, is no size: what is
// said of rows does not leave out the rows that go down.
//
// args:     --ladder=all --no-confirm --blockDim=4,4 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, no-alias
// bug 1:    racy     a difference of what has been extended
// bug 2:    racy     ... and of a number
// bug 3:    racy     a difference that is a signed number
// bug 4:    racy     ... and halved
// bug 5:    racy     a sum with a signed number
// bug 6:    racy     an unsigned number that is taken for a signed one
// bug 7:    racy     half of a difference below zero, which is above it
// bug 8:    racy     a signed half of 64 bits

#if BUG == 1
#define ROW ((long)width - (long)edge)
#elif BUG == 2
#define ROW ((long)width - 5)
#elif BUG == 3
#define ROW ((int)(width - edge))
#elif BUG == 4
#define ROW ((int)(width - edge) / 2)
#elif BUG == 5
#define ROW ((long)width + (int)edge)
#elif BUG == 6
#define ROW ((int)width)
#elif BUG == 7
#define ROW ((unsigned)(first - last) / 2)
#elif BUG == 8
#define ROW ((long)(wide - wider) / 2)
#else
#define ROW 5
#endif

__global__ void copy(float *out, const float *in, unsigned width, unsigned edge,
                     unsigned long wide, unsigned long wider, int first,
                     int last, unsigned rows) {
  int x = threadIdx.x, y = threadIdx.y;
  long row = ROW;
  bool is_wrong = BUG == 7 ? first >= 0 && last > first : row < 0;
  if (x >= 3 || y >= (int)rows || (row < 3 && !is_wrong))
    return;
#if BUG == 7
  out[y * (unsigned)row + x + 100] = in[x + 4 * y]; // expect 7: race on 'out'
#else
  out[y * row + x + 100] = in[x + 4 * y]; // expect 1,2,3,4,5,6,8: race on 'out'
#endif
}
