// A proof for blocks that no launch has proves nothing.
//
// args:     --gridDim=1
// verdict:  verified
// bug 1:    vacuous    more threads along an axis than a block has
// bug 2:    vacuous    more threads in all

#include <gpuverify.h>

__global__ void store(int *out) {
#if BUG == 0
  __requires(blockDim.x == 64 && blockDim.y == 16);
#elif BUG == 1
  __requires(blockDim.x == 2048);
#else
  __requires(blockDim.x == 64 && blockDim.y == 17);
#endif
  int t = threadIdx.x + 64 * (threadIdx.y + 17 * threadIdx.z);
  out[t] = t;
}
