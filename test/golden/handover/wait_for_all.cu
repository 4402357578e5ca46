// The first thread waits for the other block, all threads read what that wrote.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination, atomics-start-at-zero, loose-fences
// bug 1:    unknown  the others do not wait for the first thread
// bug 2:    unknown  nor does the first thread for the others, before it raises
// bug 3:    unknown  not all that write have a fence
// bug 4:    unknown  each thread has raised the flag before

__global__ void pass_on(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
#if BUG == 4
    atomicExch(flag, 1);
#endif
    data[threadIdx.x] = 1;
    if (BUG != 3 || threadIdx.x % 2 == 0)
      __threadfence();
#if BUG != 2
    __syncthreads();
#endif
    if (threadIdx.x == 0)
      atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    if (threadIdx.x == 0)
      while (atomicAdd(flag, 0) == 0)
        ;
#if BUG != 1
    __syncthreads();
#endif
    out[threadIdx.x] = data[threadIdx.x];
  }
}
