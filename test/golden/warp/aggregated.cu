// Those lanes that are there draw from a counter together: the first one adds
// for all, and tells the others.
//
// verdict:  verified
// bug 1:    racy       lane 0 adds, which may not be there
// bug 2:    racy       the last one adds, and the first one is asked
// bug 3:    racy       adds one alone
// bug 4:    racy       adds twice, the second time by a lane of its own
// bug 5:    verified   counts what comes behind, and itself: each has the next place
// bug 6:    racy       a shuffle of all lanes, and some do not come
// bug 7:    verified   the last one adds
// bug 8:    verified   counts what comes behind

__device__ unsigned draw(unsigned *counter) {
  unsigned mask = __activemask(), lane = threadIdx.x & 31, first;
  int leader = __ffs(mask) - 1, asked = leader;
  unsigned below = (1u << lane) - 1;
#if BUG == 1
  leader = asked = 0;
#elif BUG == 2
  leader = 31 - __clz(mask);
#elif BUG == 5
  below = ~below;
#elif BUG == 7
  leader = asked = 31 - __clz(mask);
#elif BUG == 8
  below = ~below << 1;
#endif
  if (lane == leader)
    first = atomicAdd(counter, BUG == 3 ? 1 : __popc(mask));
#if BUG == 4
  if (lane != leader)
    first = atomicAdd(counter, 1);
  asked = lane;
#endif
#if BUG == 6
  mask = 0xffffffff;
#endif
  first = __shfl_sync(mask, first, asked); // expect 6: may not come
  return first + __popc(mask & below);
}

__global__ void compact(int *out, const int *in, unsigned *n, int m) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m && in[i] > 0)
    out[draw(n)] = in[i]; // expect 1,2,3,4,6: write-write race on 'out'
}
