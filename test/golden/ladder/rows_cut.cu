// Where a row begins is computed in 64 bits and kept in 32: the number of
// elements that there are before it is meant to fit, or that of their vectors.
//
// args:     --assume=sizes-fit,arguments-not-negative --timeout=5
// verdict:  verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, sizes-fit, arguments-not-negative
// bug 1:    verified, racy   16 bits are kept, as in a ring
// bug 2:    verified, racy   it is the upper half of a number, and no row
// bug 3:    racy, verified   there are more vectors than a row has

typedef unsigned long long Long;

__global__ void vectors(float4 *out, int width) {
  int first = (long long)blockIdx.x * width >> 2;
  int vectors = (width >> 2) + (BUG == 3);
  for (int i = threadIdx.x; i < vectors; i += blockDim.x)
    out[first + i].x = blockIdx.x * blockDim.x + threadIdx.x; // expect 3: race on 'out'
}

__global__ void rows(unsigned *out, unsigned width) {
#if BUG == 1
  if (width == 1u << 15)
    out[(unsigned short)((Long)blockIdx.x * width >> 2)] = blockIdx.x; // expect 1: race on 'out'
#elif BUG == 2
  if (width == 1u << 31)
    out[(unsigned)((Long)blockIdx.x * width >> 5)] = blockIdx.x; // expect 2: race on 'out'
#else
  if (width >= 4 && threadIdx.x == 0)
    out[(unsigned)((Long)blockIdx.x * width >> 2)] = blockIdx.x;
#endif
}
