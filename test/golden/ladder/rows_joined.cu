// A row of so many rows of a picture and one more are so many rows and one:
// y * width + z * width is (y + z) * width, and there are so many of these.
//
// args:     --assume=sizes-fit,no-division-by-zero --blockDim=128 --timeout=3
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, requires, no-division-by-zero, sizes-fit
// bug 1:    racy  the row is taken for the last one of the picture
// bug 2:    racy  vectors are put at the place of their number
// bug 3:    racy  it is no product, but the sum of numbers

typedef unsigned Number;

__global__ void heads(Number *out, Number tokens, Number heads, Number width) {
  __requires(width % 4 == 0);
  Number vectors = width / 4;
  Number i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tokens * heads * vectors)
    return;
  Number row = i / vectors, vector = i % vectors;
  Number token = row / heads, head = row % heads;
  Number first = token * heads * width + head * width;
#if BUG == 1
  first = token * heads * width + heads * width;
#endif
#if BUG == 3
  first = i + i + i + i;
#endif
  Number *row_of_head = out + first;
#if BUG == 2
  row_of_head[vector / 4] = i; // expect 2: race on 'out'
#elif BUG == 3
  row_of_head[0] = i; // expect 3: race on 'out'
#else
  row_of_head[4 * vector] = i; // expect 1: race on 'out'
#endif
}
