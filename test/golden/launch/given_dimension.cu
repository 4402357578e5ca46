// A dimension that the kernel does not read is none only if the host gives it no
// size.
//
// verdict:  verified
// bug 1:    racy    it gives a number that is not known
// bug 2:    racy    .. of which one is never taken
// bug 3:    racy    .. by assigning it
// bug 4:    racy    launches give several
// bug 5:    racy    .. so many that they are joined
// bug 6:    racy    .. by what a function returns
// bug 7:    racy    .. by a parameter
// bug 8:    racy    .. in a member
// bug 9:    racy    .. through a pointer
// bug 10:   racy    .. through a reference to a member
// bug 11:   racy    .. as another type of vector
// bug 12:   racy    .. by a choice
// bug 13:   racy    .. in another file
// bug 14:   racy    .. as bytes
// bug 15:   verified  a function and a member give one dimension

__global__ void add(int *sum, const int *in) {
  size_t i = blockIdx.x * 64 + threadIdx.x;
  sum[i] += in[i]; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14: race on 'sum'
}

#if BUG == 6
dim3 blocks(int n, int rows) { return dim3(n / 64, rows); }
#elif BUG == 15
dim3 blocks(int n) { return dim3(n / 64, 1); }
struct Sizes {
  dim3 blocks;
};
void go(Sizes &sizes, int *sum, const int *in) {
  add<<<sizes.blocks, 64>>>(sum, in);
}
#elif BUG == 7
static void go(int *sum, const int *in, dim3 grid) {
  add<<<grid, 64>>>(sum, in);
}
#elif BUG == 8
struct Sizes {
  dim3 blocks;
};
void go(Sizes &sizes, int *sum, const int *in) {
  add<<<sizes.blocks, 64>>>(sum, in);
}
#elif BUG == 13
dim3 blocks(int n, int rows);
#endif

void launch(int *sum, const int *in, int n, int rows) {
#if BUG == 1
  if (rows >= 2)
    add<<<dim3(n / 64, rows), 64>>>(sum, in);
#elif BUG == 2
  add<<<dim3(n / 64, rows > 3 ? 4 : 2), 64>>>(sum, in);
#elif BUG == 3
  dim3 grid(n / 64);
  grid.y = rows;
  add<<<grid, 64>>>(sum, in);
#elif BUG == 4
  add<<<dim3(n / 64), 64>>>(sum, in);
  add<<<dim3(n / 64, 2), 64>>>(sum, in);
#elif BUG == 5
#define FOUR(y)                                                                \
  add<<<dim3(n / 64, y), 64>>>(sum, in);                                       \
  add<<<dim3(n / 64, y + 1), 64>>>(sum, in);                                   \
  add<<<dim3(n / 64, y + 2), 64>>>(sum, in);                                   \
  add<<<dim3(n / 64, y + 3), 64>>>(sum, in);
  FOUR(1)
  FOUR(5)
  FOUR(9)
  FOUR(13)
  FOUR(17)
#elif BUG == 6 || BUG == 13
  add<<<blocks(n, rows), 64>>>(sum, in);
#elif BUG == 7
  go(sum, in, dim3(n / 64, rows));
#elif BUG == 8
  Sizes sizes;
  sizes.blocks = dim3(n / 64, rows);
  go(sizes, sum, in);
#elif BUG == 9
  dim3 grid(n / 64), *other = &grid;
  other->y = rows;
  add<<<grid, 64>>>(sum, in);
#elif BUG == 10
  dim3 grid(n / 64);
  unsigned &y = grid.y;
  y = rows;
  add<<<grid, 64>>>(sum, in);
#elif BUG == 11
  uint3 grid = {(unsigned)n / 64, (unsigned)rows, 1};
  add<<<dim3(grid), 64>>>(sum, in);
#elif BUG == 12
  dim3 wide(n / 64, rows), narrow(n / 64);
  add<<<rows > 3 ? wide : narrow, 64>>>(sum, in);
#elif BUG == 14
  dim3 grid(n / 64);
  ((unsigned *)&grid)[1] = rows;
  add<<<grid, 64>>>(sum, in);
#elif BUG == 15
  Sizes sizes;
  sizes.blocks = blocks(n);
  go(sizes, sum, in);
  add<<<blocks(n), 64>>>(sum, in);
#else
  add<<<n / 64, 64>>>(sum, in);
#endif
}
