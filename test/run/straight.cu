// Without hooks: threads as iterations of a loop, ids in three dimensions.
//
// args:     --detect=none
// verdict:  passed
// prints:   sum = 276 24 108
// bug 1:    out-of-bounds   a null pointer, by one thread
// bug 2:    wrong-result    x and y are confused

__global__ void straight(int *at, int *sum) {
  unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
#if BUG == 2
  unsigned i = y + blockDim.x * (x + blockDim.y * z);
#else
  unsigned i = x + blockDim.x * (y + blockDim.y * z);
#endif
  at[i + blockIdx.x * 12] = (int)(x + 10 * y + 100 * z + 1000 * blockIdx.x);
  atomicAdd(&sum[0], (int)(i + blockIdx.x * 12));
  atomicAdd(&sum[1], 1);
  atomicAdd(&sum[2], (int)(blockDim.y + gridDim.x - x));
#if BUG == 1
  if (x == 1 && z == 1)
    *(volatile int *)(at - (unsigned long long)at / 4) = 1;
#endif
}
