// There are no more rows than the launch has threads for, and none of a number
// that the kernel alone says.
//
// args:     --ladder=all --no-confirm
// verdict:  verified, verified, verified, verified
// bug 1:    racy, verified, verified, verified  a guard's bound is no number of rows of a known length
// bug 2:    racy, verified, verified, verified  such rows are as long as a shift says
// bug 3:    racy, verified, verified, verified  it compares signed numbers
// bug 4:    racy, verified, verified, verified  a guard's number is no number of rows
// bug 5:    racy, verified, verified, verified  the guard speaks of more rows than threads
// bug 6:    verified, racy, verified, verified  the guard speaks of more rows of a plane
// bug 7:    verified, verified, racy, verified  a guard's number is no number of blocks' rows
// bug 8:    verified, verified, racy, verified  the guard speaks of more rows than blocks
// bug 9:    verified, verified, verified, racy  nobody knows how many threads there are
// bug 10:   verified, verified, verified, racy  .. nor how many that number may be
// bug 11:   racy, verified, verified, verified  a bit of the number of a thread is turned
// bug 12:   racy, verified, verified, verified  the number of a warp
// bug 13:   racy, verified, verified, verified  of a loop's rows few are come to
// bug 14:   racy, verified, verified, verified  .. of what is counted by it

__global__ void threads(unsigned *rows, unsigned *out, unsigned n, unsigned m,
                        int k) {
  unsigned t = threadIdx.x, is_large = 0;
#if BUG == 1
  if (t < n)
    rows[t * 4096] = 1;
  is_large = n >> 20;
#elif BUG == 2
  if (t < n)
    rows[t << 12] = 1;
  is_large = n >> 20;
#elif BUG == 3
  int s = (int)t;
  if (s < k)
    rows[s << 16] = 1;
  is_large = k < 0 ? 0 : k >> 17;
#elif BUG == 4
  if (t < 65536u && n)
    rows[t * n] = 1;
  is_large = n >> 20;
#elif BUG == 5
  if (t < n && m)
    rows[t * m] = 1;
  is_large = (n >> 20) & (m >> 20);
#elif BUG == 11
  if ((t ^ 1) < n)
    rows[(t ^ 1) * blockDim.x] = 1;
  is_large = n >> 26;
#elif BUG == 12
  if (t / 32 < n && m)
    rows[t / 32 * m] = 1;
  is_large = (n >> 20) & (m >> 20);
#elif BUG == 13
  for (unsigned row = 0; row < n; row++)
    if (row == 5) {
      rows[row * m] = 1;
      is_large = (n >> 20) & (m >> 20);
      out[t - (t & is_large)] = t; // expect 13: race on 'out'
    }
  return;
#elif BUG == 14
  for (unsigned row = 0; row < (unsigned)k; row++)
    if (row + 1 < n)
      rows[(row + 1) * m] = 1;
  is_large = (n >> 20) & (m >> 20);
#endif
  out[t - (t & is_large)] = t; // expect 1,2,3,4,5,11,12,14: race on 'out'
}

__global__ void plane(unsigned *rows, unsigned *out, unsigned n, unsigned m,
                      unsigned size) {
  unsigned x = threadIdx.x, y = threadIdx.y, is_large = 0;
#if BUG == 6
  if (n >= 1 << 16 || m >= 1 << 16)
    return;
  if (y < n && x < m && size)
    rows[(y * m + x) * size] = 1;
  is_large = (n >> 14) & (m >> 14) & (size >> 4);
#endif
  out[y * 16 + (x - (x & is_large))] = x; // expect 6: race on 'out'
}

__global__ void blocks(unsigned *rows, unsigned *out, unsigned n, unsigned m) {
  unsigned b = blockIdx.x, is_large = 0;
  if (threadIdx.x)
    return;
#if BUG == 7
  if (b < n)
    rows[b << 16] = 1;
  is_large = n >> 17;
#elif BUG == 8
  if (b < n && m)
    rows[b * m] = 1;
  is_large = (n >> 20) & (m >> 20);
#endif
  out[b - (b & is_large)] = b; // expect 7,8: race on 'out'
}

__global__ __launch_bounds__(64) void anyhow(unsigned *rows, unsigned *out,
                                             unsigned n) {
  unsigned t = threadIdx.x, is_large = 0;
#if BUG == 9
  if (t < n)
    rows[t << 16] = 1;
  is_large = n >> 17;
#elif BUG == 10
  if (t < 65536u && n)
    rows[t * n] = 1;
  is_large = n >> 17;
#endif
  if (blockIdx.x == 0)
    out[t - (t & is_large)] = t; // expect 9,10: race on 'out'
}

void launch(unsigned *rows, unsigned *out, unsigned n, unsigned m, int k) {
  threads<<<1, 64>>>(rows, out, n, m, k);
  plane<<<1, dim3(16, 4)>>>(rows, out, n, m, k);
  blocks<<<4, 64>>>(rows, out, n, m);
}
