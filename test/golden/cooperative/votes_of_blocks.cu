// What a vote tells a warp it tells no warp of another block, so a barrier of the
// grid behind it may wait for blocks that do not come.
//
// args:     --blockDim=32 --gridDim=2
// verdict:  verified
// bug 1:    divergent  a vote decides
// bug 2:    divergent  a ballot does
// bug 3:    divergent  a reduction does
// bug 4:    divergent  a vote decides whether there is another round

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void meet(int *out, const int *in) {
  const unsigned all = 0xffffffff;
  int i = blockIdx.x * 32 + threadIdx.x;
  bool comes = BUG == 1   ? __any_sync(all, in[i])
               : BUG == 2 ? __ballot_sync(all, in[i]) != 0
               : BUG == 3 ? __reduce_max_sync(all, in[i]) > 3
                          : true;
  do {
    if (comes)
      cg::this_grid().sync(); // expect 1,2,3,4: barrier
    in += 64;
  } while (BUG == 4 && __any_sync(all, in[i]));
  out[i] = in[i];
}
