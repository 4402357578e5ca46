// Rows of as many elements as the program says, by unsigned numbers: for one of
// each block the host has memory.
//
// args:     --assume=sizes-fit --blockDim=16,25
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, termination, sizes-fit
// bug 1:    racy     rows overlap
// bug 2:    racy     what is added is not below the factor
// bug 3:    racy     a factor as hash functions have it is no row
// bug 4:    racy     a remainder is no place among rows

__global__ void rows(float *out, float scale, unsigned size) {
#if BUG == 1
  unsigned row = threadIdx.y + 150 * blockIdx.x;
#elif BUG == 2
  unsigned row = 10 * threadIdx.y + 200 * blockIdx.x;
#elif BUG == 3
  unsigned row = threadIdx.y + 2654435769u * blockIdx.x;
#else
  unsigned row = threadIdx.y + 200 * blockIdx.x;
#endif
  if (BUG == 4)
    row %= size;
  for (int i = 0; i < 8; i++)
    if (threadIdx.x == 0)
      out[2 * row + 50 * i] = scale * (i + blockIdx.x); // expect 1,2,3,4: race on 'out'
}
