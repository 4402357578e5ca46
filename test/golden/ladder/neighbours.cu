// A cell of a volume and its six neighbours: what is read says on how many
// more operations that nothing overflows, which have nothing to do with where
// is written.
//
// args:     --ladder=all --no-confirm
// verdict:  verified
// assumes:  thread-count, launch-limits, no-alias, no-signed-overflow
// bug 1:    racy     the row above is written as well

#define AT(x, y, z) (((z) * height + (y)) * width + (x))

__global__ void smooth(float *out, const float *in, int width, int height,
                       int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1 || z < 1 ||
      z >= depth - 1)
    return;
  float sum = in[AT(x - 1, y, z)] + in[AT(x + 1, y, z)] + in[AT(x, y - 1, z)] +
              in[AT(x, y + 1, z)] + in[AT(x, y, z - 1)] + in[AT(x, y, z + 1)];
  out[AT(x, y, z)] = sum / 6; // expect 1: race on 'out'
#if BUG == 1
  out[AT(x, y - 1, z)] = sum; // expect 1: race on 'out'
#endif
}
