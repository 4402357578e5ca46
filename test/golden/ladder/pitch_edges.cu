// A column that is kept between the edges of its row is below the width, too.
//
// args:     --ladder=all --blockDim=16,4
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, no-signed-overflow, rows-fit
// bug 1:    racy  the other column is no edge
// bug 2:    racy  the edge is that of something else

__global__ void blur(const float *from, float *to, int width, int height, int pitch, int more) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
#if BUG == 1
  int column = more ? x : 2 * x;
#elif BUG == 2
  int column = x < more ? x : more;
#else
  int column = x < width - 1 ? x : width - 1;
#endif
  int place = column + (y < height - 1 ? y : height - 1) * pitch;
  if (x < width && y < height && more > width)
    to[place] = from[place] + y; // expect 1,2: race on 'to'
}
