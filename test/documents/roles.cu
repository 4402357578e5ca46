__global__ void roles(int *a) {
  if (threadIdx.x < 32) {
    bar_sync(1, 64);
  } else if (threadIdx.x < 64)
    bar_sync(2, 64);
}
