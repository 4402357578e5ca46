// Sizes that small functions compute, and parameters that are always the same.
//
// verdict:  verified
// bug 1:    racy       a helper rounds up
// bug 2:    racy       the function is called with another value, too
// bug 3:    racy       others can call the function
// bug 4:    racy       the function's address is taken
// bug 5:    racy       the parameter is assigned to
// bug 6:    racy       the function calls itself with more
// bug 7:    racy       a member is virtual, and another class has another

__global__ void number_row(int *out, unsigned length) {
  size_t x = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int cell[64];
  cell[threadIdx.x % 64] = x; // allow 2,3,4,5,6,7: race on 'cell'
  out[(size_t)blockIdx.y * length + x] = blockIdx.y; // expect 1,3,4,5,6,7: race on 'out'
}

static unsigned blocks(unsigned length, unsigned block) {
#if BUG == 1
  return length % block ? length / block + 1 : length / block;
#else
  return length / block;
#endif
}

#if BUG != 3
static
#endif
    void
    launch_rows(int *out, unsigned length, unsigned rows, int block) {
#if BUG == 5
  if (rows == 7)
    block = 128;
#endif
  number_row<<<dim3(blocks(length, block), rows), block>>>(out, length);
#if BUG == 6
  if (rows)
    launch_rows(out, length, rows - 1, block * 2);
#endif
}

#if BUG == 4
void (*chosen)(int *, unsigned, unsigned, int) = launch_rows;
#endif

struct Policy {
  Policy() {}
#if BUG == 7
  virtual
#else
  static
#endif
      int
      twice() {
    return 2;
  }
};

void launch(int *out, unsigned length, unsigned rows, Policy &policy) {
  int block = 32;
  block *= policy.twice();
  launch_rows(out, length, rows, block);
#if BUG == 2
  launch_rows(out, length, rows, 128);
#endif
}
