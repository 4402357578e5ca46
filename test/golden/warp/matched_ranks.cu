// Lanes are ranked among those that a mask names.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy   lanes with another value have ranks of their own
#include "gpuverify.h"

__global__ void rank(int *out, const int *in) {
  const unsigned all = 0xffffffff;
  int t = threadIdx.x, lane = t & 31, warp = 2 * blockIdx.x + t / 32;
  int v = in[t];
  unsigned mask = BUG == 1 ? __match_any_sync(all, v) : __ballot_sync(all, v > 0);
  if (BUG == 1 || v > 0)
    out[32 * warp + __popc(mask & ((1u << lane) - 1))] = t; // expect 1: race on 'out'
}
