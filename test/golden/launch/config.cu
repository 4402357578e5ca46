// What a launch by cudaLaunchKernelEx has in its variable, and its arguments.
//
// verdict: verified
// bug 1:   racy  a size is assigned on one way alone
// bug 2:   racy  ... or behind the launch
// bug 3:   racy  the variable has another name
// bug 4:   racy  other functions know the variable
// bug 5:   racy  a negative number becomes a longer one
// bug 6:   racy  the kernel is a pointer

__global__ void fill(int *cell, long long least) {
  if (least < 0)
    cell[0] = (int)threadIdx.x; // expect 5,6: write-write race on 'cell'
  else
    cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4: write-write race on 'cell'
}

bool failed();

#if BUG == 4
cudaLaunchConfig_t config;
void start(int *cells) {
  config.gridDim = dim3(1);
  config.blockDim = dim3(64);
  if (!failed())
    cudaLaunchKernelEx(&config, fill, cells, 1);
}
#else
void start(int *cells) {
#if BUG == 3
  cudaLaunchConfig_t real = {};
  cudaLaunchConfig_t &config = real;
#else
  cudaLaunchConfig_t config = {dim3(1), dim3(128)};
#endif
  config.gridDim = dim3(1);
#if BUG == 1
  if (failed()) {
    config.blockDim = dim3(64);
  }
#elif BUG == 2
  if (failed())
    goto launch;
  config.blockDim = dim3(64);
launch:
#else
  config.blockDim = dim3(64);
#endif
#if BUG == 3
  real.blockDim = dim3(128);
#endif
#if BUG == 5
  cudaLaunchKernelEx(&config, fill, cells, -1);
#elif BUG == 6
  void (*kernel)(int *, long long) = fill;
  fill<<<1, 64>>>(cells, 1);
  cudaLaunchKernelEx(&config, kernel, cells, -1);
#else
  cudaLaunchKernelEx(&config, fill, cells, 1);
#endif
}
#endif
