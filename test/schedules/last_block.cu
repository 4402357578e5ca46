// Each block leaves a sum, and the last one to be done adds them up.
//
// verdict:  passed
// bug 1:    schedule-dependent  a block counts as done before its sum is there
// bug 2:    schedule-dependent  the count does not tell who is the last one

__global__ void last_block(volatile int *sums, unsigned *done, int *total,
                           const int *values) {
  __shared__ int sum;
  __shared__ bool is_last;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, values[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
#if BUG == 1
    is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    sums[blockIdx.x] = sum; // says 1: waits before it writes
#elif BUG == 2
    sums[blockIdx.x] = sum;
    __threadfence();
    atomicAdd(done, 1);
    is_last = atomicAdd(done, 0) == gridDim.x; // says 2: waits before it
#else
    sums[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
#endif
  }
  __syncthreads();
  if (threadIdx.x == 0 && is_last)
    for (int i = 0; i < gridDim.x; i++)
      *total += sums[i];
}
