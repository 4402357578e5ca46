// An element is taken apart into digits of known size, each by a quotient of its
// own, and put together again.
//
// args:    --gridDim=9 --blockDim=64
// verdict: verified, verified, verified
// assumes: launch-limits
// bug 1:   racy, verified, verified  a plane has fewer rows than are counted
// bug 2:   verified, racy, verified  there are more batches than are counted
// bug 3:   verified, verified, racy  a row of bits is longer than its mask

__global__ void by_products(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int plane = i / (6 * (BUG == 1 ? 8 : 7));
  int row = i / 7 % 6;
  int column = i % 7;
  out[(plane * 6 + row) * 7 + column] = i; // expect 1: race on 'out'
}

__global__ void kept_as_ints(int *out, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t volume = 3 * 5 * 7, area = 5 * 7;
  if (i >= 4 * volume)
    return;
  int batch = i / volume % (BUG == 2 ? 3 : 4);
  int channel = i / area % 3, row = i / 7 % 5, column = i % 7;
  out[batch * 3 * 5 * 7 + channel * 5 * 7 + row * 7 + column] = 1 + i; // expect 2: race on 'out'
}

__global__ void of_bits(int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned plane = i / (8 * 7), row = i / 7 & (BUG == 3 ? 3 : 7), column = i % 7;
  out[plane * 8 * 7 + row * 7 + column] = i; // expect 3: race on 'out'
}
