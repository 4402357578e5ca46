// A place goes from plane to plane by a sum: in the second round of the loop
// the product of the sizes has been computed, and did not overflow; in the
// first one it is added to nothing.
//
// args:     --ladder=all --no-confirm
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, termination, no-signed-overflow
// bug 1:    racy     a plane begins in the last row of the one before

__global__ void planes(float *out, int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int i = y * width + x;
  for (int z = 0; z < depth; z++) {
    out[i] = 0.5f * z + y; // expect 1: race on 'out'
    i += width * (BUG == 1 ? height - 1 : height);
  }
}
