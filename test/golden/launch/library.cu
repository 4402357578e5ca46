// A kernel of a library's header that the library's own code launches: that
// code is not looked at, and it is as if nobody launched the kernel.  One of the
// user's whose address goes elsewhere is launched with anything.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, full-launch-bounds
// bug 1:    racy     the user gives it away
// bug 2:    racy     the library gives the user's away
void launch_with(const void *kernel, void **arguments);

#if !BUG
# 100 "library.h" 1 3
#endif
__launch_bounds__(64) __global__ void mirror(int *out) {
  out[blockIdx.x * blockDim.x + (threadIdx.x ^ 32)] = 1 + threadIdx.x; // expect 1,2: race on 'out'
}

#if BUG == 2
# 100 "library.h" 1 3
#endif
static inline void run(int *out) {
  void *arguments[] = {&out};
  launch_with((const void *)mirror, arguments);
}
#if BUG != 1
# 35 "library.cu" 2
#endif

void launch(int *out) { run(out); }
