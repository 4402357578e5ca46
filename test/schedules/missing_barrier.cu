// Threads of a block count together, then one of them reads the count.
//
// verdict:  passed
// bug 1:    schedule-dependent  no barrier before the count is read
// case:     racy                1 - --check=assert,race --bound=0

__global__ void missing_barrier(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  atomicAdd(&count, 1 + threadIdx.x); // says 1: waits before it updates
#if BUG != 1
  __syncthreads();
#endif
  if (threadIdx.x == 0)
    out[blockIdx.x] = count;
}
