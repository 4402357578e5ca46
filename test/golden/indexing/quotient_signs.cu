// A quotient by a product is the quotient by its factors if the product is that
// of what divides, where signs count.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy     the product of the factors is negative

typedef unsigned long long Long;

__global__ void with_signs(int *out, int height, int width, int start) {
  int t = start + (int)threadIdx.x;
  if (start < 0 || start > 0x7fffff00 || height <= 0 || width <= 0)
    return;
#if BUG == 1
  if (width != 32768 || (Long)height * width > 0xffffffffu)
#else
  if ((Long)height * width > 0x7fffffff)
#endif
    return;
  int first = t / (height * width), second = t / width / height;
  int rest = t / width % height, i = (int)threadIdx.x;
  out[first != second ? 64 : i] = i + rest; // expect 1: race on 'out'
}
