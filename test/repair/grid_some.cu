// One of the launches is not cooperative, and there blocks may not wait.
//
// args: -nocudainc
// none: but one of the grid, for kernels that are launched cooperatively

__global__ void grid_some(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  b[i] = a[i ^ 64];
}

int main() {
  int *a, *b;
  void *arguments[] = {&a, &b};
  cudaMalloc(&a, 512 * sizeof(int));
  cudaMalloc(&b, 512 * sizeof(int));
  cudaLaunchCooperativeKernel(grid_some, dim3(8), dim3(64), arguments, 0, 0);
  grid_some<<<8, 64>>>(a, b);
}
