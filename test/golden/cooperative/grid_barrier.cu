// A barrier of the whole grid orders the blocks' accesses to global memory.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  verified
// bug 1:    racy       a barrier of the block does not
// bug 2:    divergent  half of the blocks do not come

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void reverse(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
#if BUG == 1
  cg::this_thread_block().sync();
#else
#if BUG == 2
  if (blockIdx.x < 4)
#endif
  cg::this_grid().sync(); // expect 2: barrier
#endif
#if BUG != 2
  b[i] = a[511 - i]; // expect 1: read-write race on 'a'
#endif
}
