// Lanes that are there draw together, in a loop that they leave one by one: who
// they are is told anew each time, and each may be in a round of its own.
//
// verdict:  verified
// bug 1:    divergent  a ballot of all lanes, of which some have left
// bug 2:    racy       the leader of all lanes, who may have left
// bug 3:    racy       comes to the shuffle by a branch
// bug 4:    racy       each lane takes the first place

__global__ void compact(int *out, const int *in, unsigned *n, int m) {
  unsigned lane = threadIdx.x & 31;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x) {
    int v = in[i];
    if (v > 0) {
#if BUG == 1
      unsigned mask = __ballot_sync(0xffffffff, 1); // expect 1: may not come
#else
      unsigned mask = __activemask();
#endif
      int leader = BUG == 2 ? 0 : __ffs(mask) - 1;
      unsigned first = 0;
      if (lane == leader)
        first = atomicAdd(n, __popc(mask));
#if BUG == 3
      if (v > 3)
#endif
      first = __shfl_sync(mask, first, leader);
#if BUG != 4
      first += __popc(mask & ((1u << lane) - 1));
#endif
      out[first] = v; // expect 2,3,4: write-write race on 'out'
    }
  }
}
