__global__ void k(int *flag) {
  flag[0] = 1;
  if (threadIdx.x == 3)
    flag[0] = 1;
}
