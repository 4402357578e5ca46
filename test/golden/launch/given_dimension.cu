// A dimension that the kernel does not read is none only if the host gives it no
// size.
//
// verdict:  verified
// bug 1:    racy    it gives a number that is not known
// bug 2:    racy    .. of which one is never taken
// bug 3:    racy    .. by assigning it
// bug 4:    racy    launches give several
// bug 5:    racy    .. so many that they are joined

__global__ void add(int *sum, const int *in) {
  size_t i = blockIdx.x * 64 + threadIdx.x;
  sum[i] += in[i]; // expect 1,2,3,4,5: race on 'sum'
}

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
#else
  add<<<n / 64, 64>>>(sum, in);
#endif
}
