// Cooperative groups and random numbers without the SDK.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>

namespace cg = cooperative_groups;

// CHECK-LABEL: @_Z6groups
__global__ void groups(int *p) {
  cg::thread_block block = cg::this_thread_block();
  block.sync();
  cg::sync(block);
  cg::grid_group grid = cg::this_grid();
  grid.sync();
  auto tile = cg::tiled_partition<16>(block);
  tile.sync();
  p[0] = cg::reduce(tile, p[0], cg::plus<int>());
  p[1] = tile.shfl_down(p[1], 2) + tile.ballot(p[2]) + tile.meta_group_rank();
  p[2] = grid.thread_rank() + block.thread_rank() + tile.thread_rank();
  p[3] = block.group_index().x + block.thread_index().y + block.size();
  auto some = cg::coalesced_threads();
  p[4] = some.thread_rank() + some.shfl(p[4], 0);
}
// CHECK-DAG: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// CHECK-DAG: call void @__gpuverify_grid_sync()
// CHECK-DAG: call void @llvm.nvvm.bar.warp.sync(i32
// CHECK-DAG: call {{.*}}i32 @llvm.nvvm.shfl.sync.bfly.i32(i32
// CHECK-DAG: call {{.*}}i32 @llvm.nvvm.activemask()

#ifdef TOO_WIDE
__global__ void wide(int *p) {
  cg::tiled_partition<64>(cg::this_thread_block()).sync();
}
#endif

__global__ void random(curandState *own, curandStateMtgp32 *shared, float *f) {
  curand_init(1, threadIdx.x, 0, &own[threadIdx.x]);
  f[threadIdx.x] = curand_uniform(&own[threadIdx.x]);
  f[threadIdx.x] = (float)curand(shared);
}
// The state of a block is accessed in the block's scope.
// CHECK-DAG: @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr
