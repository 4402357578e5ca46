// A quotient by a product is the quotient by its factors if the product is that
// of what divides: of natural numbers, or of numbers with signs.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified
// bug 1:    racy, verified  the product of two negative numbers is small
// bug 2:    verified, racy  the product is negative where signs count

typedef unsigned Number;
typedef unsigned long long Long;

__global__ void natural(Number *out, int height, int width) {
  Number t = threadIdx.x, h = height, w = width;
  long long size = (long long)height * width;
  if (size < 1 || size > 0xffffffffll)
    return;
#if BUG != 1
  if (height <= 0 || width <= 0)
    return;
#endif
  Number first = t / (h * w), second = t / w / h, rest = t / w % h;
  out[first != second ? 64 : t] = t + rest; // expect 1: race on 'out'
}

__global__ void with_signs(int *out, int height, int width, int start) {
  int t = start + (int)threadIdx.x;
  if (start < 0 || start > 0x7fffff00 || height <= 0 || width <= 0)
    return;
#if BUG == 2
  if (width != 32768 || (Long)height * width > 0xffffffffu)
#else
  if ((Long)height * width > 0x7fffffff)
#endif
    return;
  int first = t / (height * width), second = t / width / height;
  int rest = t / width % height, i = (int)threadIdx.x;
  out[first != second ? 64 : i] = i + rest; // expect 2: race on 'out'
}
