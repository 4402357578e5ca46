// Each block has a matrix, with elements by their numbers: what is computed
// before it is multiplied by the last size is not the size of the matrix.
//
// args:     --assume=no-signed-overflow --ladder=arguments-not-negative
// verdict:  verified, verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-signed-overflow, arguments-not-negative
// bug 1:    racy, racy, racy         one element more
// bug 2:    racy, racy, racy         matrices of one row less
// bug 3:    racy, verified, verified matrices of other sizes

#if BUG == 1
#define IS_BELOW <=
#else
#define IS_BELOW <
#endif

__global__ void fill(int *a, int rows, int columns) {
  int b = blockIdx.x, t = threadIdx.x;
  if (t IS_BELOW rows *columns)
#if BUG == 2
    a[b * (rows - 1) * columns + t] = b + t; // expect 2: race on 'a'
#elif BUG == 3
    a[b * rows * rows + t] = b + t; // expect 3: race on 'a'
#else
    a[b * rows * columns + t] = b + t; // expect 1: race on 'a'
#endif
}

__global__ void fill_squares(int *a, int size) {
  int b = blockIdx.x, t = threadIdx.x;
  if (t IS_BELOW size *size)
#if BUG == 2
    a[b * (size - 1) * size + t] = b + t; // expect 2: race on 'a'
#else
    a[b * size * size + t] = b + t; // expect 1: race on 'a'
#endif
}

__global__ void fill_planes(int *a, int images, int colours, int height,
                            int width) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, plane = blockIdx.y;
  if (t IS_BELOW height *width && plane < images * colours)
#if BUG == 2
    a[plane * (height - 1) * width + t] = plane + t; // expect 2: race on 'a'
#else
    a[plane * height * width + t] = plane + t; // expect 1: race on 'a'
#endif
}
