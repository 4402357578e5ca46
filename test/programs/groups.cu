// Cooperative groups: tiles of tiles, groups by label, groups as one type,
// reductions, scans and asynchronous copies of a group.
//
// args:     --detect=races
// prints:   groups: 0 wrong
// verdict:  passed
// bug 1:    racy   nobody waits for the copy

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <stdio.h>

namespace cg = cooperative_groups;

enum { THREADS = 64 };

__device__ int wrong;

__device__ void expect(bool holds) {
  if (!holds)
    atomicAdd(&wrong, 1);
}

// By halves, for any kind of group.
__device__ int sum_of(cg::thread_group group, int *room, int value) {
  int rank = (int)group.thread_rank();
  for (int half = (int)group.size() / 2; half > 0; half /= 2) {
    room[rank] = value;
    group.sync();
    if (rank < half)
      value += room[rank + half];
    group.sync();
  }
  return value;
}

__global__ void tiles(const int *from) {
  __shared__ int room[THREADS];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto quarter = cg::tiled_partition<8>(warp);
  int rank = block.thread_rank(), lane = rank % 32;
  expect(warp.meta_group_rank() == rank / 32 && warp.meta_group_size() == 2);
  expect(quarter.meta_group_rank() == lane / 8 &&
         quarter.meta_group_size() == 4);
  expect(cg::reduce(quarter, rank, cg::plus<int>()) == rank / 8 * 8 * 8 + 28);
  expect(cg::inclusive_scan(warp, 1) == lane + 1);
  expect(cg::exclusive_scan(quarter, rank, cg::greater<int>()) ==
         (rank % 8 ? rank - 1 : 0));
  expect(warp.match_any(lane / 4) == 0xfu << lane / 4 * 4);
  expect(sum_of(block, room, 1) == THREADS || rank > 0);
  block.sync();
  expect(sum_of(quarter, room + rank / 8 * 8, 1) == 8 || rank % 8);
  block.sync();
  cg::memcpy_async(block, room, from, sizeof room);
#if BUG != 1
  cg::wait(block);
#endif
  expect(room[(rank + 1) % THREADS] == (rank + 1) % THREADS * 3);
}

__global__ void labels() {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int lane = warp.thread_rank();
  auto odd = cg::binary_partition(warp, lane % 2);
  expect(odd.num_threads() == 16 && odd.thread_rank() == lane / 2);
  expect(odd.shfl_down(lane, 1) == (lane < 30 ? lane + 2 : lane));
  expect(odd.ballot(lane < 8) == 0xfu);
  auto third = cg::labeled_partition(warp, lane % 3);
  expect(third.size() == (lane % 3 == 2 ? 10 : 11));
  expect(cg::reduce(third, lane, cg::less<int>()) == lane % 3);
  expect(cg::exclusive_scan(third, 1) == lane / 3);
  if (lane < 5) {
    auto some = cg::coalesced_threads();
    expect(some.shfl(lane, 0) < 5 && some.any(true));
  }
}

int main() {
  int *from, count = -1;
  cudaMallocManaged(&from, THREADS * sizeof(int));
  for (int i = 0; i < THREADS; i++)
    from[i] = i * 3;
  tiles<<<1, THREADS>>>(from);
  labels<<<1, 32>>>();
  cudaMemcpyFromSymbol(&count, wrong, sizeof count);
  printf("groups: %d wrong\n", count);
  return 0;
}
