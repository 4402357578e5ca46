// The last warp of a block need not be whole: who asks its last lane gets
// anything.
//
// args:     --blockDim=48 --gridDim=2
// verdict:  verified
// bug 1:    racy       the last lane draws, and is asked

__global__ void compact(int *out, const int *in, unsigned *n) {
  const unsigned all = 0xffffffff;
  int t = threadIdx.x, lane = t & 31, v = in[blockIdx.x * 48 + t];
  unsigned mask = __ballot_sync(all, v > 0), first = 0;
  const int leader = BUG ? 31 : 0;
  if (lane == leader)
    first = atomicAdd(n, __popc(mask));
  first = __shfl_sync(all, first, leader);
  if (v > 0)
    out[first + __popc(mask & ((1u << lane) - 1))] = v; // expect 1: write-write race on 'out'
}
