// Threads of a plane go through a volume, plane by plane: the place is counted
// up.
//
// args:     --ladder=no-signed-overflow
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, termination, no-signed-overflow
// bug 1:    racy   there is a row more than a plane has
#include "gpuverify.h"

__global__ void step(int nx, int ny, int nz, int *volume) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int plane = nx * ny, at = y * nx + x;
  bool is_inside = x < nx && y < ny + (BUG == 1);
  for (int z = 0; z < nz; z++) {
    if (is_inside)
      volume[at] = z + x; // expect 1: race on 'volume'
    at += plane;
  }
}
