// Each block waits for the flag of the one before.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination, volatile-accesses, atomics-start-at-zero
// bug 1:    racy     nobody waits
// bug 2:    unknown  it waits for the block behind
// bug 3:    unknown  no fence before the flag
// bug 4:    unknown  the flag is raised first
// bug 5:    unknown  another block may raise it, too
// bug 6:    unknown  it does not wait for long
// bug 7:    unknown  the flag is lowered, not raised
// bug 8:    racy     a plain write raises it

__global__ void sums(const int *in, int *out, int *sum, volatile int *flags) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    int carry = 0;
    if (blockIdx.x > 0) {
#if BUG == 2
      while (flags[blockIdx.x + 1] == 0)
        ;
#elif BUG == 6
      for (int n = 0; n < 1000 && flags[blockIdx.x - 1] == 0; n++)
        ;
#elif BUG == 7
      while (flags[blockIdx.x - 1] != 0)
        ;
#elif BUG != 1
      while (flags[blockIdx.x - 1] == 0)
        ;
#endif
      __threadfence();
      carry = sum[blockIdx.x - 1];
    }
#if BUG == 4
    flags[blockIdx.x] = 1;
#endif
    sum[blockIdx.x] = carry + in[blockIdx.x]; // expect 1,8: race on 'sum'
#if BUG != 3
    __threadfence();
#endif
#if BUG == 8
    *(int *)&flags[blockIdx.x] = 1;
#elif BUG != 4
    flags[blockIdx.x] = BUG != 7;
#endif
#if BUG == 5
    flags[blockIdx.x + 1] = 1;
#endif
    before = carry;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x] + before;
}
