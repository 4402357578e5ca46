// What HIP launches a kernel by has the kernel's own name, and the user may
// give that to a variable.
//
// verdict:  verified
// assumes:  launch-limits
// bug 1:    racy     a label
// bug 2:    racy     an alias
__global__ void fill(int *out) {
  out[threadIdx.x] = threadIdx.x + blockIdx.x; // expect 1,2: race on 'out'
}

#if BUG == 1
extern "C" char handle __asm__("_Z4fillPi");
#elif BUG == 2
extern "C" void stub(int *) __attribute__((alias("_Z19__device_stub__fillPi")));
char handle;
#else
char handle;
#endif

void launch(int *out) {
  fill<<<1, 64>>>(out);
  void *arguments[] = {&out};
  hipLaunchKernel((const void *)&handle, dim3(2), dim3(64), arguments, 0, 0);
}
