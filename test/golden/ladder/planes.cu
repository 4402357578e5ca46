// A volume by planes of rows: the number of a plane is multiplied by one size
// after the other, as `z * height * width` is read.
//
// args:     --assume=sizes-fit --blockDim=[8,8,4]
// verdict:  verified
// assumes:  thread-count, launch-limits, sizes-fit
// bug 1:    racy     planes are a row apart

__global__ void planes(float *out, unsigned width, unsigned height,
                       unsigned depth) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= width || y >= height || z >= depth)
    return;
#if BUG == 1
  unsigned first = z * width;
#else
  unsigned first = z * height * width;
#endif
  out[first + y * width + x] = 0.5f * x + y; // expect 1: race on 'out'
}
