// All threads vote about data, and all store the outcome.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       they store the outcomes of two votes
// bug 2:    racy       they store what they have voted
// bug 3:    racy       one of the warps counts, the others ask for any
// bug 4:    racy       nobody waits before it is read

__device__ __forceinline__ int any(bool vote) {
  int outcome;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0;"
               " barrier.cta.red.or.pred q, 0, p; selp.b32 %0, 1, 0, q; }"
               : "=r"(outcome)
               : "r"((int)vote)
               : "memory");
  return outcome;
}

__device__ __forceinline__ int count(bool vote) {
  int outcome;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0;"
               " barrier.cta.red.popc.u32 %0, 0, p; }"
               : "=r"(outcome)
               : "r"((int)vote)
               : "memory");
  return outcome;
}

__global__ void __launch_bounds__(64) vote(const int *in, int *out) {
  __shared__ int found;
  int i = threadIdx.x;
  bool mine = in[i] > 3;
  bool counts = BUG == 3 && i >= 32;
  int all = counts ? count(mine) : any(mine);
  int again = any(in[i + 64] > 3);
  if (BUG == 1)
    all = i < 32 ? all : again;
  if (BUG == 2)
    all = mine;
  found = all + 1; // expect 1,2,3,4: race
#if BUG != 4
  __syncthreads();
#endif
  out[i] = found; // allow 4: race
}
