// Who gets the lock does its part and gives it back; who does not tries again.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination
// bug 1:    unknown  part of the work comes behind the lock
// bug 2:    unknown  who has it not gives it back, too
// bug 3:    unknown  the lock is free again before the work is done
// bug 4:    racy     no fence orders it
// bug 5:    racy     the fence is for threads of a block alone
// bug 6:    unknown  some thread only looks whether it is free
// bug 7:    racy     the atomics are those of a block
// bug 8:    unknown  somebody frees it with a plain store
// bug 9:    unknown  there are two values that look free
// bug 10:   unknown  no fence before it is given back
// bug 11:   unknown  others hand it on without a fence
// bug 12:   unknown  the fences in between are for the block alone
// bug 13:   unknown  the fence before it is given back does not release
// bug 14:   unknown  who takes it may leave it free

__global__ void add_up(const int *in, int *sum, int *lock) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (bool done = false; !done;) {
#if BUG == 6
    if (atomicCAS(lock, 0, 0) == 0) {
#elif BUG == 7
    if (atomicCAS_block(lock, 0, 1) == 0) { // expect 7: race on 'lock'
#elif BUG == 9
    if (atomicCAS(lock, 2, 1) != 1) {
#elif BUG == 14
    if (atomicCAS(lock, 0, in[0]) == 0) {
#else
    if (atomicCAS(lock, 0, 1) == 0) {
#endif
#if BUG == 5 || BUG == 12
      __threadfence_block();
#elif BUG != 4
      __threadfence();
#endif
#if BUG == 3
      atomicExch(lock, 0);
#endif
      sum[0] += in[i]; // expect 4,5: race on 'sum'
#if BUG == 5 || BUG == 12
      __threadfence_block();
#elif BUG == 13
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
#elif BUG != 4 && BUG != 10
      __threadfence();
#endif
#if BUG == 8
      *(volatile int *)lock = 0;
#elif BUG != 3
      atomicExch(lock, 0);
#endif
#if BUG == 12
      __threadfence();
#endif
      done = true;
    }
#if BUG == 2
    atomicExch(lock, 0);
#endif
  }
#if BUG == 11
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  atomicExch(lock, 0);
#elif BUG == 1
  sum[0] += 1;
#endif
}
