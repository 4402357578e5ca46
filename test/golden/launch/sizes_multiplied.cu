// The host gives the product of two sizes, or how often one is in the other.
//
// args:     --ladder=all
// verdict:  verified, verified
// assumes:  thread-count, launch-limits, no-signed-overflow, sizes-fit, arguments-not-negative
// bug 1:    racy, verified    planes are a row too short
// bug 2:    racy, verified    .. or have another row's length
// bug 3:    racy, verified    what the host multiplies has changed since
// bug 4:    verified, racy    nobody has looked whether something is left
// bug 5:    verified, racy    .. or of something else
// bug 6:    verified, racy    .. or in another case
// bug 7:    verified, racy    .. or of what was changed since
// bug 8:    verified, verified  it is multiplied
// bug 9:    verified, racy    .. and one is added
#include <cuda_runtime.h>

__global__ void planes(int width, int height, int size, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    int i = y * width + x;
    out[i] = i;
    out[i + size] = 2 * i + 1; // expect 1,2,3: race on 'out'
  }
}

__global__ void shuffle(int groups, int each, int size, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int channels = groups * each;
  if (i < size)
    out[(blockIdx.y * channels + blockIdx.z) * size + i] = i + blockIdx.z; // expect 4,5,6,7,9: race on 'out'
}

void launch(float *out, int width, int height, int images, int channels,
            int groups) {
#if BUG == 1
  int size = width * (height - 1);
#elif BUG == 2
  int size = height * height;
#else
  int size = width * height;
#endif
#if BUG == 3
  height++;
#endif
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  planes<<<grid, block>>>(width, height, size, out);
#if BUG == 5
  if ((channels + 1) % groups != 0)
    return;
#elif BUG == 6
  if (channels % groups == 0)
    return;
#elif BUG != 4
  if (channels % groups != 0)
    return;
#endif
#if BUG == 7
  channels++;
#endif
#if BUG == 8
  int each = channels;
  channels = groups * each;
#elif BUG == 9
  int each = channels;
  channels = groups * each + 1;
#else
  int each = channels / groups;
#endif
  dim3 all((size + 255) / 256, images, channels);
  shuffle<<<all, 256>>>(groups, each, size, out);
}
