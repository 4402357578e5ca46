// Variables that have another name, and kernels that others launch.
//
// args:     --strict
// verdict:  verified
// bug 1:    racy      a function's own variable has a label
// bug 2:    racy      the linker gives the section's beginning a name
// bug 3:    racy      a size has a label
// bug 4:    racy      who has the kernel's address launches it with rows

__global__ void add(int *sum, int stride) {
  if (BUG == 4)
    stride = 1;
  sum[(blockIdx.x * blockDim.x + threadIdx.x) * stride]++; // expect 1,2,3,4: race on 'sum'
}

#if BUG == 2
__attribute__((section("settings"))) static int setting = 1;
extern int __start_settings[];
#elif BUG == 3
extern unsigned label[3] __asm__("_ZZ6launchPiE6blocks");
#elif BUG == 1
extern int label __asm__("_ZZ6launchPiE6stride");
#endif

void launch_with(const void *kernel, void **arguments);

void launch(int *sum) {
  static int stride = 1;
  static dim3 blocks(4);
#if BUG == 1
  label = 0;
  add<<<4, 64>>>(sum, stride);
#elif BUG == 2
  __start_settings[0] = 0;
  add<<<4, 64>>>(sum, setting);
#elif BUG == 3
  label[1] = 2;
  add<<<blocks, 64>>>(sum, 1);
#elif BUG == 4
  int one = 1;
  void *arguments[] = {&sum, &one};
  launch_with((const void *)add, arguments);
#else
  add<<<blocks, 64>>>(sum, stride);
#endif
}
