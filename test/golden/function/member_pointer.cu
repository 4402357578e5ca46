// Pointers to members that the host passes: a field is some place in the
// struct, a method some function.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy     the field is an index
// bug 2:    racy     which method it is decides about the index
// bug 3:    unknown  the method is called

struct Size {
  int width, height;
  __device__ int area() const { return width * height; }
  __device__ int border() const { return 2 * (width + height); }
};

__global__ void chosen(int *out, Size size, int Size::*field,
                       int (Size::*method)() const) {
  int i = blockIdx.x * 64 + threadIdx.x;
#if BUG == 3
  int m = (size.*method)(); // expect 3: pointer that was loaded
#else
  int m = method == &Size::area ? 1 : 2;
#endif
  out[BUG == 1 ? size.*field : BUG == 2 ? i / m : i] = i + m; // expect 1,2: write-write race on 'out'
}
