// Threads that leave in the middle of the kernel, and threads that sleep.
//
// args:     --detect=bounds
// verdict:  passed
// prints:   out = 1 7 1 7
// bug 1:    divergent   the others wait for those that have left

__global__ void leave(int *out) {
  if (threadIdx.x & 1) {
    out[threadIdx.x] = 7;
    __nvvm_exit();
  }
  __nvvm_nanosleep(10);
#if BUG == 1
  __syncthreads(); // says 1: barrier divergence
#endif
  out[threadIdx.x] = 1;
}
