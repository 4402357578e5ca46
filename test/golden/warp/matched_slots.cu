// Lanes with one value draw together, the first of them for all.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       the first lane of the warp draws, for those with its value
// bug 2:    racy       counts in the warp

__global__ void spread(int *out, const int *in, unsigned *n) {
  int t = threadIdx.x, lane = t & 31, v = in[blockIdx.x * 64 + t];
  unsigned mask = __match_any_sync(0xffffffff, v), first = 0;
  int leader = BUG == 1 ? 0 : __ffs(mask) - 1;
  if (lane == leader)
    first = atomicAdd(n, __popc(mask));
  first = __shfl_sync(BUG == 1 ? 0xffffffff : mask, first, leader);
  out[first + __popc((BUG == 2 ? 0xffffffff : mask) & ((1u << lane) - 1))] = t; // expect 1,2: write-write race on 'out'
}
