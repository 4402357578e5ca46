// A vote and a reduction tell the same to all whom their mask names, so a warp
// goes on or stops as a whole.
//
// args:     --blockDim=64 --gridDim=*
// verdict:  verified, verified
// bug 1:    divergent, verified  each lane decides by its own value
// bug 2:    divergent, verified  a shuffle tells each lane something else
// bug 3:    divergent, verified  the halves of a warp vote apart
// bug 4:    verified, racy       the warps of a block vote apart

__global__ void settle(int *out, const int *in, int least) {
  const unsigned all = 0xffffffff;
  int t = threadIdx.x, v = in[t];
  unsigned mask = BUG != 3 ? all : (t & 16) ? 0xffff0000 : 0xffff;
  bool on;
  do {
    v += __shfl_xor_sync(all, v, 1); // expect 1,2,3: leave the loop
    on = v < least;
    if (BUG == 2)
      on = __shfl_sync(all, v, t + 1) < least; // allow 2: leave the loop
    else if (BUG != 1)
      on = __any_sync(mask, on) && __reduce_max_sync(mask, v) < least;
  } while (on);
  out[64 * blockIdx.x + t] = v;
}

// One lane gives out what it has, or all take what was there before.
__global__ void give(int *out, const int *in, int *cells) {
  int t = threadIdx.x, w = 2 * blockIdx.x + t / 32;
  int *cell = cells + (BUG == 4 ? blockIdx.x : w);
  int v = in[t];
  if (!__all_sync(0xffffffff, v > 0))
    out[64 * blockIdx.x + t] = *cell; // expect 4: read-write race on 'cells'
  else if (t % 32 == 0)
    *cell = v; // allow 4: race on 'cells'
}
