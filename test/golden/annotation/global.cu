// Global annotations are about threads that do not come there, too.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified, verified
// bug 1:    assertion, verified   it holds in the branch alone
// bug 2:    assertion, verified   who has left the loop is not enabled
// bug 3:    assertion, verified   not of who goes round
// bug 4:    assertion, verified   not of who never entered it
// bug 5:    assertion, verified   of two threads, one is not in the branch
// bug 6:    verified, assertion   not of who has left the inner loop
// bug 7:    verified, assertion   who has left by the other way has not counted

__device__ bool may_differ() { return BUG != 4 && !__enabled(); }

__global__ void count(int n) {
  int t = threadIdx.x, x = 0, y = 0;
  if (t < 32) {
    __global_assert(__implies(__enabled(), t < 32));
    if (BUG == 1)
      __global_assert(t < 32); // expect 1: global assertion may fail
    if (BUG == 5)
      __global_assert(__other_int(t) < 32); // expect 5: two threads
    __global_assert(__exclusive(blockIdx.x * 64 + t == 5));
  }
  while (__invariant(x >= 0 && x <= t),
         __global_invariant(__implies(!__enabled(), x == t)),
         __global_invariant(BUG != 2 || __enabled()),     // expect 2: left
         __global_invariant(__implies(BUG == 3, x == t)), // expect 3: invariant
         x < t)
    x++;
  if (t < 32)
    for (; y < 5; y++) {
      bool is_small = y < 9;
      __global_assert(is_small | may_differ()); // expect 4: may
    }
}

__global__ void nested(const int *in) {
  int t = threadIdx.x;
  for (int i = 0; i < 10; i++)
    for (int k = 0; k < t; k++) {
      bool is_last = i == 10, is_over = k >= t;
      if (in[k] == 3)
        return;
      __global_assert(__implies(!__enabled(), i <= 10));
      if (BUG == 6)
        __global_assert(__implies(!__enabled(), !is_over)); // expect 6: may
      if (BUG == 7)
        __global_assert(__implies(!__enabled(), is_last)); // expect 7: may
    }
}
