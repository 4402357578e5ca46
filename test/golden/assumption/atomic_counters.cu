// A counter that is only ever added to gives everybody another number.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  verified
// assumes:  launch-limits, no-alias, atomic-counters
// bug 1:    racy       somebody takes numbers back
// bug 2:    racy       the counter is set again after use

__global__ void number(int *out, unsigned *count) {
  unsigned mine = atomicAdd(count, 1);
#if BUG == 1
  if (mine == 7)
    atomicSub(count, 1);
#elif BUG == 2
  if (mine == 7)
    *count = 0; // allow 2: race on 'count'
#endif
  out[mine] = threadIdx.x; // expect 1,2: write-write race on 'out'
}
