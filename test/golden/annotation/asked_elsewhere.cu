// What is logged, and what the other thread has, changes on the way: it is asked
// for where the annotation stands.  An invariant about it is at its loop's head.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified, verified
// bug 1:    unknown, verified, verified    it was asked before the barrier
// bug 2:    unknown, verified, verified    ... for the place
// bug 3:    verified, unknown, verified    it was asked in the loop
// bug 4:    verified, verified, unknown    a barrier is before the invariant
// bug 5:    verified, verified, unknown    who leaves the loop does not come
// bug 6:    verified, verified, assertion  at the head there is a write

__global__ void barrier() {
  __shared__ int a[64];
  int t = threadIdx.x;
  a[t] = t;
#if BUG == 1
  bool is_clear = __no_write(a);
  __syncthreads();
#elif BUG == 2
  bool is_clear = __write_offset_bytes(a) == 4;
  __syncthreads();
#else
  __syncthreads();
  bool is_clear = __no_write(a);
#endif
  __assert(is_clear); // expect 1,2: asked for elsewhere
}

__global__ void left() {
  int t = threadIdx.x, i = 0, other;
  do {
    other = __other_int(i);
    i++;
  } while (i < t);
#if BUG != 3
  other = __other_int(i - 1);
#endif
  __assert((t < 2) | (other != t - 1)); // expect 3: asked for elsewhere
}

__global__ void head(int n) {
  __shared__ int a[64];
  int t = threadIdx.x;
  for (int i = 0;
#if BUG < 4 || BUG > 5
       __invariant(__no_write(a)), // expect 6: loop invariant may fail
#endif
       i < n; i++) {
#if BUG == 5
    __invariant(__no_write(a)); // expect 5: not at the head
#endif
    a[t] = i;
    if (BUG != 6)
      __syncthreads();
#if BUG == 4
    __invariant(__no_write(a)); // expect 4: not at the head
#endif
  }
}
