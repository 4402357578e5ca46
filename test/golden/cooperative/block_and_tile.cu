// Cooperative groups: a barrier of the block and one of a tile of a warp.
//
// args:     --blockDim=128 --gridDim=2
// verdict:  verified
// bug 1:    racy       the tile's barrier where the block's is needed
// bug 2:    racy       no barrier of the tile

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void exchange(const int *in, int *out) {
  __shared__ int cell[128];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  int t = block.thread_rank(), first = blockIdx.x * 128;
  cell[t] = in[first + t];
#if BUG == 1
  tile.sync();
#else
  block.sync();
#endif
  int other = cell[127 - t]; // expect 1: read-write race on 'cell'
  block.sync();
  cell[t] = other;
#if BUG != 2
  tile.sync();
#endif
  out[first + t] = cell[t ^ 1]; // expect 2: read-write race on 'cell'
}
