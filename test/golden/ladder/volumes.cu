// An element is taken apart into its picture, channel, row and column, and put
// together again.
//
// args:     --assume=sizes-fit,no-division-by-zero --blockDim=64
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-division-by-zero, sizes-fit
// bug 1:    racy     columns are counted by the height
// bug 2:    racy     all rows are at one place

typedef unsigned Number;

__global__ void volumes(Number *out, Number pictures, Number channels,
                        Number height, Number width) {
  Number flat = blockIdx.x * blockDim.x + threadIdx.x;
  Number size = height * width;
  if (flat >= pictures * channels * size)
    return;
  Number picture = flat / (channels * size), channel = flat / size % channels;
  Number row = flat / width % height;
#if BUG == 1
  Number column = flat % height;
#else
  Number column = flat % width;
#endif
  Number first = picture * channels * size + channel * size;
#if BUG != 2
  first += row * width;
#endif
  out[first + column] = flat; // expect 1,2: race on 'out'
}
