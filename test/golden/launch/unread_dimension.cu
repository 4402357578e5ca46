// What is assumed of a dimension that the kernel does not read says nothing
// about the arguments.
//
// verdict:  verified
// bug 1:    racy       only with one block along y the length is small

__global__ void fill(int *out, int length) {
#if BUG == 1
  bool is_good = length < 16;
#else
  bool is_good = length > 0 || length <= 0;
#endif
  size_t i = blockIdx.x * 64 + threadIdx.x;
  out[is_good ? i : 0] = threadIdx.x; // expect 1: write-write race on 'out'
}

void launch(int *out, int length) {
  fill<<<dim3(4, length / 8), 64>>>(out, length);
}
