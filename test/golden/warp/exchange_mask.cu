// The lanes that a mask names have to come to the exchange, with that mask.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  a mask that names the whole warp, where a half comes
// bug 2:    divergent  lanes that their own mask does not name
// bug 3:    divergent  two exchanges, of which each lane comes to one
// bug 4:    divergent  lanes that leave the loop around at different times
// bug 5:    divergent  two masks for one exchange
// bug 6:    unknown    a ballot of other lanes than those that come
// bug 7:    divergent  lanes that have left the kernel
// bug 8:    divergent  the same of a match
// bug 9:    divergent  the same of a reduction
// bug 10:   divergent  the same of a vote
// bug 11:   divergent  the same in inline assembly
// bug 12:   divergent  a mask that is data
// bug 13:   divergent  a ballot to which some do not come

__global__ void sums(const int *in, int *out, int n) {
  const unsigned all = 0xffffffff;
  int t = threadIdx.x, lane = t & 31, v = in[t];
#if BUG == 1
  if (lane < 16)
    v += __shfl_down_sync(all, v, 16); // expect 1: may not come
#elif BUG == 2
  v += __shfl_down_sync(0xffff, v, 8); // expect 2: own lane
#elif BUG == 3
  if (lane & 1)
    v += __shfl_xor_sync(all, v, 2); // expect 3: may not come
  else
    v += __shfl_xor_sync(all, v, 4); // allow 3: may not come
#elif BUG == 4
  for (int i = t; i < n; i += 64)
    v += __shfl_down_sync(all, v, 1); // expect 4: warp divergence
#elif BUG == 5
  v += __shfl_xor_sync(lane < 8 ? 0xff : all, v, 1); // expect 5: another mask
#elif BUG == 6
  unsigned some = __ballot_sync(all, t < n);
  if (t < n - 1)
    v += __shfl_down_sync(some, v, 1);
#elif BUG == 7
  if (t >= n)
    return;
  v += __shfl_down_sync(all, v, 1); // expect 7: may not come
#elif BUG == 8
  if (lane < n)
    v += __match_any_sync(all, v); // expect 8: may not come
#elif BUG == 9
  if (lane < n)
    v += __reduce_add_sync(all, v); // expect 9: may not come
#elif BUG == 10
  if (lane < n)
    v += __any_sync(all, v > 3); // expect 10: may not come
#elif BUG == 11
  if (lane < 16)
    asm volatile("shfl.sync.down.b32 %0, %1, 8, 31, 0xffffffff;" // expect 11: may not come
                 : "=r"(v)
                 : "r"(v));
#elif BUG == 12
  v += __shfl_down_sync(in[0], v, 1); // expect 12: own lane
#elif BUG == 13
  if (lane < n)
    v += __ballot_sync(all, v > 3); // expect 13: may not come
#else
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(all, v, d);
  if (lane < 16)
    v += __shfl_down_sync(0xffff, v, 8);
  unsigned half = lane & 16 ? 0xffff0000 : 0xffff;
  if (v > n)
    v = 0;
  v += __shfl_xor_sync(half, v, 8);
  unsigned some = __ballot_sync(all, t < n);
  if (t < n)
    v += __shfl_down_sync(some, v, 1);
  if (t >= n)
    v += __shfl_down_sync(__activemask(), v, 1);
  v += __reduce_add_sync(__match_any_sync(all, v), v);
  if (half == 0xffff)
    asm volatile("shfl.sync.down.b32 %0, %1, 8, 31, 0xffff;"
                 : "=r"(v)
                 : "r"(v));
#endif
  out[t] = v;
}
