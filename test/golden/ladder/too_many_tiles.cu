// Each block of a known launch has a tile: that all of them fit is assumed where
// they do.
//
// args:     --blockDim=256 --gridDim=5000000 --ladder=sizes-fit,arguments-not-negative
// verdict:  verified, verified
// assumes:  launch-limits
// bug 1:    racy, racy   there are more numbers than an index has
#include "gpuverify.h"

#define TILE (BUG == 1 ? 1024u : 512u)

__global__ void fill(unsigned *out) {
  unsigned tile = blockIdx.x, begin = TILE * tile;
  out += begin;
  out[threadIdx.x] = threadIdx.x + tile; // expect 1: race on 'out'
}

__global__ void fill_from(unsigned *out, int first) {
  unsigned tile = first + blockIdx.x, begin = TILE * tile;
  out += begin;
  out[threadIdx.x] = threadIdx.x + tile; // expect 1: race on 'out'
}
