// What --no-overflow says of a loop counter: one of 32 bits does not wrap, as a
// signed number if it is compared as one.
//
// args:     --blockDim=64 --gridDim=1 --no-overflow
// verdict:  verified
// bug 1:    racy       one of 8 bits does wrap
// bug 2:    racy       one that begins below zero passes it
// bug 3:    racy       one that goes down, and does not wrap, either

__global__ void count(int *out, unsigned n, int m) {
#if BUG == 0
  unsigned c = 128;
  for (unsigned k = 0; k < n; k++)
    c++;
  if (c < 128)
    out[0] = threadIdx.x;
#elif BUG == 1
  unsigned char c = 128;
  for (unsigned k = 0; k < n; k++)
    c++;
  if (c < 128)
    out[0] = threadIdx.x; // expect 1: race on 'out'
#elif BUG == 2
  for (int i = -4; i < m; i++)
    if (i >= 0)
      out[0] = threadIdx.x; // expect 2: race on 'out'
#elif BUG == 3
  for (int i = m; i > 0; i--)
    if (i < m - 2)
      out[0] = threadIdx.x; // expect 3: race on 'out'
#endif
}
