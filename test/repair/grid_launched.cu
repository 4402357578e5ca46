// All launches are cooperative, so all blocks may wait; nothing is declared yet.
//
// args: -nocudainc
// repair: grid_launched.cu:9:3: insert 'cooperative_groups::this_grid().sync();'

__global__ void grid_launched(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  b[i] = a[511 - i];
}

int main() {
  int *a, *b;
  void *arguments[] = {&a, &b};
  cudaMalloc(&a, 512 * sizeof(int));
  cudaMalloc(&b, 512 * sizeof(int));
  cudaLaunchCooperativeKernel(grid_launched, dim3(8), dim3(64), arguments, 0, 0);
}
