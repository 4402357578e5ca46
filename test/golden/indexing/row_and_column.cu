// An element is taken apart into image, row and column of sizes that are not
// known, and found again.
//
// args:     --blockDim=256 --gridDim=64
// verdict:  verified, verified
// bug 1:    racy, verified    two columns share an element
// bug 2:    verified, racy    rows overlap

__global__ void copy(const float *in, float *out, int count, int width,
                     int height) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count)
    return;
  int column = id % width, rest = id / width;
  int row = rest % height, image = rest / height;
#if BUG == 1
  column /= 2;
#endif
  int element = (image * height + row) * width + column;
  out[element] = in[element] + threadIdx.x; // expect 1: race on 'out'
}

__global__ void stamp(float *out) {
  unsigned row = threadIdx.x / 48, column = threadIdx.x % 48;
#if BUG == 2
  unsigned pitch = 47;
#else
  unsigned pitch = 48;
#endif
  out[256 * blockIdx.x + row * pitch + column] = // expect 2: race on 'out'
      threadIdx.x;
}
