// A barrier of the whole grid orders the blocks' accesses to global memory.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  verified
// bug 1:    racy       a barrier of the block does not

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void reverse(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
#if BUG == 1
  cg::this_thread_block().sync();
#else
  cg::this_grid().sync();
#endif
  b[i] = a[511 - i]; // expect 1: read-write race on 'a'
}
