// A mask may be told by a vote or a match, which is about the lanes of one
// warp, or read; then nothing is known of it.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  a vote of one warp decides about a barrier of the block
// bug 2:    divergent  lanes of other values decide otherwise
// bug 3:    unknown    a mask from shared memory
// bug 4:    unknown    a mask that an atomic returns
// bug 5:    divergent  who is there in a loop, which lanes go round by turns
// bug 6:    unknown    ... and who was there comes to the shuffle, whoever that is
// bug 7:    unknown    who was there comes in a branch alone
// bug 8:    unknown    comes with a ballot that may not name it
// bug 9:    divergent  all lanes, where some are
// bug 10:   unknown    who was there before the loop

__global__ void rounds(const int *in, int *out, int n) {
  const unsigned all = 0xffffffff;
  __shared__ unsigned mask;
  int t = threadIdx.x, v = in[t];
#if BUG == 1
  if (__ballot_sync(all, v > 3) == all)
    __syncthreads(); // expect 1: barrier divergence
#elif BUG == 2
  if (__match_any_sync(all, v) & 1)
    v += __shfl_down_sync(all, v, 1); // expect 2: may not come
#elif BUG == 3
  if (t == 0)
    mask = all;
  __syncthreads();
  v += __shfl_down_sync(mask, v, 1); // expect 3: own lane
#elif BUG == 4
  v += __shfl_down_sync(atomicAdd(&out[64], 1), v, 1); // expect 4: own lane
#elif BUG == 5
  for (int i = 0; i < n; i++)
    if (__activemask() == all)
      v += __shfl_down_sync(all, v, 1); // expect 5: may not come
#elif BUG == 6
  for (int i = t; i < n; i++)
    v += __shfl_down_sync(__activemask(), v, 1);
#elif BUG == 7
  unsigned there = __activemask();
  if (v > 3)
    v += __shfl_down_sync(there, v, 1);
#elif BUG == 8
  v += __shfl_down_sync(__ballot_sync(all, v > 3), v, 1);
#elif BUG == 9
  if (v > 9) {
    v += __activemask();
    v += __shfl_down_sync(all, v, 1); // expect 9: may not come
  }
#elif BUG == 10
  unsigned there = __activemask();
  int i = 0;
  do
    v += __shfl_down_sync(there, v, 1);
  while (++i < t);
#else
  unsigned some = __ballot_sync(all, v > 3);
  if (v > 3) {
    v += __shfl_down_sync(some, v, 1);
    v += __shfl_down_sync(__match_any_sync(some, v), v, 1);
  }
  if (v > 9)
    v += __shfl_down_sync(__activemask(), v, 1);
#endif
  out[t] = v;
}
