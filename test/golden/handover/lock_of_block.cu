// The first thread of each block takes the lock, and all of the block work.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination
// bug 1:    unknown  nobody waits for the first thread before
// bug 2:    unknown  nor behind
// bug 3:    unknown  every thread gives it back
// bug 4:    racy     the fences are for the block alone
// bug 5:    unknown  the work is behind the lock
// bug 6:    racy     who does not work leaves, and does not wait for the lock
// bug 7:    unknown  another thread takes it

__global__ void add_up(const int *in, int *sum, int *lock) {
  int i = threadIdx.x;
#if BUG == 6
  if (i == 5) {
    sum[i] += in[i]; // expect 6: race on 'sum'
    return;
  }
#endif
  if (i == (BUG == 7)) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
#if BUG == 4
    __threadfence_block();
#else
    __threadfence();
#endif
  }
#if BUG != 1
  __syncthreads(); // allow 6: barrier divergence
#endif
#if BUG != 5
  sum[i] += in[blockIdx.x]; // expect 4: race on 'sum'
#endif
#if BUG != 2
  __syncthreads(); // allow 6: barrier divergence
#endif
  if (i == 0 || BUG == 3) {
#if BUG == 4
    __threadfence_block();
#else
    __threadfence();
#endif
    atomicExch(lock, 0);
  }
#if BUG == 5
  sum[i] += in[blockIdx.x];
#endif
}
