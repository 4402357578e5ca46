// A size that the kernel has no name for is not known, and nothing is said
// about the end of the array.
//
// args:     --check-array-bounds
// verdict:  verified
// bug 1:    out-of-bounds  it has one

struct Shape {
  int length, height;
};

__global__ void fill(float *out, Shape shape) {
#if BUG == 1
  if (shape.length >= 100)
#endif
    out[threadIdx.x] = shape.height; // expect 1: out-of-bounds access of 'out'
}

void launch(int length) {
  Shape shape = {length, 1};
  float *out;
  cudaMalloc(&out, length);
  fill<<<1, 64>>>(out, shape);
}
