// A kernel of a library's header whose address that header gives away, before
// any code of the user's: whoever launches through a pointer may launch it, with
// blocks of any size in any grid.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits
// bug 1:    racy     the user launches what the header gives
// bug 2:    racy     .. by the runtime's function
// bug 3:    racy     an instance of a template
# 12 "test/golden/launch/library_gives.cu" 1 3
#if BUG == 3
template <int N>
#endif
__global__ void fill(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] += 1; // expect 1,2,3: race on 'out'
}

typedef void (*Kernel)(int *);

#if BUG == 3
inline Kernel kernel() { return fill<1>; }
#else
inline Kernel kernel() { return fill; }
#endif
# 27 "test/golden/launch/library_gives.cu" 2
#if BUG == 1 || BUG == 3
void launch(int *out) { kernel()<<<1, dim3(8, 8)>>>(out); }
#elif BUG == 2
void launch(int *out) {
  void *arguments[] = {&out};
  cudaLaunchKernel((const void *)kernel(), dim3(1), dim3(8, 8), arguments, 0, 0);
}
#endif
