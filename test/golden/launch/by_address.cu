// Arguments that the launch reads through a list of their addresses.
//
// verdict:  verified
// bug 1:    racy       the list is changed
// bug 2:    racy       another function knows it
// bug 3:    racy       ... or knows an argument's address
// bug 4:    racy       a number changes behind the list
// bug 5:    racy       the number is of another type
// bug 6:    racy       the numbers have changed places
// bug 7:    racy       a function of the user's launches

struct Shape {
  int height, pitch;
};

__global__ void fill(int *out, unsigned width, Shape shape) {
  size_t row = blockIdx.x * (size_t)shape.height + threadIdx.y % shape.height;
  out[row * shape.pitch + threadIdx.x % width] = threadIdx.x + 64 * threadIdx.y; // expect 1,2,3,4,5,6,7: race on 'out'
}

void point(const void *);
void know(void **);
#if BUG == 7
void change(void *);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                             void **arguments, int shared) {
  *(int *)arguments[1] = 4;
  return cudaLaunchKernel(kernel, grid, block, arguments, (size_t)shared, 0);
}
#endif

void launch(int *out, int blocks) {
  unsigned width = 16;
  Shape shape = {4};
#if BUG == 5
  unsigned long long long_width = 16 + (unsigned long long)blocks;
#elif BUG == 6
  unsigned height = 4;
#endif
  shape.pitch = width;
#if BUG == 5
  void *arguments[] = {&out, &long_width, (void *)&shape};
#elif BUG == 6
  void *arguments[] = {&out, &height, (void *)&shape};
#else
  void *arguments[] = {&out, &width, (void *)&shape};
#endif
#if BUG == 1
  unsigned less = 8;
  arguments[1] = &less;
#elif BUG == 2
  know(arguments);
#elif BUG == 3
  point(&shape);
#elif BUG == 4
  width = 8;
#endif
#if BUG == 7
  cudaLaunchKernel((const void *)fill, dim3(blocks), dim3(16, 4), arguments, (int)0);
#else
  cudaLaunchKernel((const void *)fill, dim3(blocks), dim3(16, 4), arguments, 0, 0);
#endif
}
