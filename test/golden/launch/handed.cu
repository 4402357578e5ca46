// Who has a kernel's address may launch it with anything.
//
// args:    --clang-arg=-Wno-everything
// verdict: verified
// bug 1:   racy  a function of another file has it
// bug 2:   racy  ... in a pointer
// bug 3:   racy  a function of the runtime that launches what its argument says
// bug 4:   racy  a node of a graph
// bug 5:   racy  a pointer of another type
// bug 6:   racy  a pointer to a function of the runtime launches
// bug 7:   racy  an object names the kernel
// bug 8:   racy  a header of the system launches
// bug 9:   racy  another file makes an object of it
// bug 10:  racy  the library calls a function of another file with it
// bug 11:  racy  the library keeps it
// bug 12:  racy  an object has it, of which a function of another file has one
// bug 13:  racy  .. gets it from a function of this file
// bug 14:  racy  a table has it
// bug 15:  racy  a variable without a type
// bug 16:  racy  .. that gets another one
// bug 17:  racy  a template of another file
// bug 18:  racy  a reference
// bug 19:  racy  a function of the user's by the name of one of the runtime

#include <functional>
#include <vector>

struct Kernels {
  static __global__ void fill(int *cell) {
    cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19: write-write race on 'cell'
  }
};

int *cells;
void launch_elsewhere(void (*kernel)(int *));
template <class K> static void launch_here(K kernel) {
  kernel<<<1, 32>>>(cells);
}
void launch_there(void (*kernel)(int *), int n);
int runtime(const void *, int);
struct Runner {
  Runner(void (*kernel)(int *), int n);
};
struct Launcher {
  void (*kernel)(int *);
  void take(void (*given)(int *)) { kernel = given; }
  void launch(int n) const;
};
void launch_any(const void *kernel);
template <void (*kernel)(int *)> void launch_named();
void launch_function(void (&kernel)(int *));
int cudaLaunchKernel(void (*)(int *), dim3, dim3, void **, char);

void start(cudaLaunchConfig_t *config) {
  Kernels::fill<<<1, 64>>>(cells);
#if BUG == 7
  Kernels object;
  auto kernel = object.fill;
  kernel<<<1, 128>>>(cells);
#else
  cudaFuncSetCacheConfig((const void *)Kernels::fill, cudaFuncCachePreferL1);
  launch_here(Kernels::fill);
  void (*kernel)(int *) = Kernels::fill;
  kernel<<<1, 64>>>(cells);
#endif
#if BUG == 1
  launch_elsewhere(Kernels::fill);
#elif BUG == 2
  launch_elsewhere(kernel);
#elif BUG == 3
  void *arguments[] = {&cells};
  cudaLaunchKernelExC(config, (const void *)Kernels::fill, arguments);
#elif BUG == 5
  auto other = (void (*)(void *))Kernels::fill;
  other<<<1, 128>>>(cells);
#elif BUG == 6
  int (*launch)(const void *, int) = runtime;
  launch((const void *)Kernels::fill, 128);
#elif BUG == 8
  launch_there(Kernels::fill, 128);
#elif BUG == 9
  Runner runner(Kernels::fill, 128);
#elif BUG == 10
  std::function<void(void (*)(int *))> runner = launch_elsewhere;
  runner(Kernels::fill);
#elif BUG == 11
  std::vector<void (*)(int *)> kernels;
  kernels.push_back(Kernels::fill);
  kernels[0]<<<1, 64>>>(cells);
#elif BUG == 12
  Launcher launcher = {Kernels::fill};
  launcher.launch(128);
#elif BUG == 13
  Launcher launcher = {};
  launcher.take(Kernels::fill);
  launcher.launch(128);
#elif BUG == 14
  static void (*const table[])(int *) = {Kernels::fill};
  launch_any(table);
#elif BUG == 15
  const void *any = (const void *)Kernels::fill;
  launch_any(any);
#elif BUG == 16
  launch_any((const void *)kernel);
#elif BUG == 17
  launch_named<Kernels::fill>();
#elif BUG == 18
  launch_function(Kernels::fill);
#elif BUG == 19
  void *arguments[] = {&cells};
  cudaLaunchKernel(Kernels::fill, 1, 64, arguments, 'a');
#endif
}

#if BUG == 4
struct NodeParameters {
  void *func;
  dim3 gridDim, blockDim;
};
int cudaGraphAddKernelNode(int *, NodeParameters *);
void build() {
  int node;
  NodeParameters parameters = {(void *)Kernels::fill, dim3(1), dim3(128)};
  cudaGraphAddKernelNode(&node, &parameters);
}
#endif

# 1 "library.h" 3
void launch_there(void (*kernel)(int *), int n) {
  kernel<<<1, n>>>(cells);
}
