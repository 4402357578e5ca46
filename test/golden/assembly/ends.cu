// Threads that end by `exit`, within functions, too: they come to nothing of
// what stands behind, and no barrier waits for those that have done nothing.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, no-alias, termination, exited-threads
// bug 1:    racy       nobody ends
// bug 2:    divergent  some threads end before a barrier, after a write
// bug 3:    racy       who ends has written before
// bug 4:    racy       nobody ends in the first round
// bug 5:    racy       the others end
// bug 6:    unknown    the compiler may execute it elsewhere

__device__ void leave_unless(bool stays) {
  if (!stays)
    asm volatile("exit;");
}

__global__ void ends(int *out, int *flag, int n) {
  int t = threadIdx.x;
#if BUG == 2
  flag[t] = t;
#endif
  leave_unless(t < n);
  __syncthreads(); // expect 2: barrier
#if BUG == 3
  flag[0] = t; // expect 3: race on 'flag'
#endif
  for (int i = 0; i < n; i++) {
#if BUG == 4
    leave_unless(t < 32 || i == 0);
#else
    leave_unless(t < 32);
#endif
    flag[t & 31] = t; // expect 4: race on 'flag'
  }
#if BUG == 5
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 7; @!p exit; }" ::"r"(t));
#elif BUG == 6
  asm("{ .reg .pred p; setp.ne.u32 p, %1, 7; @p exit; mov.u32 %0, 1; }"
      : "=r"(n)
      : "r"(t));
#elif BUG != 1
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 7; @p exit; }" ::"r"(t));
#endif
  out[n] = t; // expect 1,5: race on 'out'
}
