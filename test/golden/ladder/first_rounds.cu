// Rows whose length is a product that may wrap, until a signed one of the same
// sizes has been computed.
//
// args:     --ladder=no-signed-overflow --no-confirm --blockDim=8,8
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, termination, no-signed-overflow
// bug 1:    racy     it comes behind the first round's place
// bug 2:    racy     it comes in a round that there is not
// bug 3:    racy     it is of the round before, whose rows are shorter

__global__ void rows(float *out, int height, int depth) {
  const int width = 1 << 16;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned length = (unsigned)width * (unsigned)height;
  int sum = 0;
  if (x >= width || y >= 4 || height <= 0)
    return;
  for (int z = 1; z < depth; z++) {
#if BUG == 0
    sum += width * height;
#endif
#if BUG == 3
    length = (unsigned)width * (unsigned)z;
#endif
    out[x + y * length] = 0.5f * sum + y; // expect 1,2,3: race on 'out'
#if BUG == 2
    if (z == depth)
#endif
      sum += width * (BUG == 3 ? z : height);
  }
}
