// Cooperative groups without the SDK: block, grid, cluster, tiles, coalesced
// groups.
//
//   sync of a cluster  barrier.cluster, where there are clusters (sm_90)
//   sync of a block    __syncthreads
//   sync of the grid   __gpuverify_grid_sync
//   sync of a tile     __syncwarp of the tile's lanes; a tile of more than 32
//                      threads is not offered
//   the rest of a tile and of a coalesced group: the *_sync functions
//
// A coalesced group is the threads that __activemask happens to name, or a part
// of a tile or of another one.

#ifndef GPUVERIFY_COOPERATIVE_GROUPS_H
#define GPUVERIFY_COOPERATIVE_GROUPS_H

#include "../cuda.h"

namespace cooperative_groups {

class thread_block {
public:
  static __device__ __forceinline__ void sync() { __syncthreads(); }
  static __device__ __forceinline__ unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static __device__ __forceinline__ unsigned num_threads() {
    return blockDim.x * blockDim.y * blockDim.z;
  }
  static __device__ __forceinline__ unsigned size() { return num_threads(); }
  static __device__ __forceinline__ dim3 group_index() { return blockIdx; }
  static __device__ __forceinline__ dim3 thread_index() { return threadIdx; }
  static __device__ __forceinline__ dim3 group_dim() { return blockDim; }
  static __device__ __forceinline__ dim3 dim_threads() { return blockDim; }
};

class grid_group {
public:
  static __device__ __forceinline__ bool is_valid() { return true; }
  static __device__ __forceinline__ void sync() { __gpuverify_grid_sync(); }
  static __device__ __forceinline__ unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) *
               gridDim.x +
           blockIdx.x;
  }
  static __device__ __forceinline__ unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  static __device__ __forceinline__ unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() +
           thread_block::thread_rank();
  }
  static __device__ __forceinline__ unsigned long long num_threads() {
    return num_blocks() * thread_block::num_threads();
  }
  static __device__ __forceinline__ unsigned long long size() {
    return num_threads();
  }
  static __device__ __forceinline__ dim3 group_dim() { return gridDim; }
  static __device__ __forceinline__ dim3 dim_blocks() { return gridDim; }
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
class cluster_group {
public:
  struct arrival_token {};
  static __device__ __forceinline__ arrival_token barrier_arrive() {
    __nvvm_barrier_cluster_arrive();
    return arrival_token();
  }
  static __device__ __forceinline__ void barrier_wait() {
    __nvvm_barrier_cluster_wait();
  }
  static __device__ __forceinline__ void barrier_wait(arrival_token &&) {
    barrier_wait();
  }
  static __device__ __forceinline__ void sync() {
    barrier_arrive();
    barrier_wait();
  }
  static __device__ __forceinline__ unsigned block_rank() {
    return __nvvm_read_ptx_sreg_cluster_ctarank();
  }
  static __device__ __forceinline__ unsigned num_blocks() {
    return __nvvm_read_ptx_sreg_cluster_nctarank();
  }
  static __device__ __forceinline__ dim3 block_index() {
    return dim3(__nvvm_read_ptx_sreg_cluster_ctaid_x(),
                __nvvm_read_ptx_sreg_cluster_ctaid_y(),
                __nvvm_read_ptx_sreg_cluster_ctaid_z());
  }
  static __device__ __forceinline__ dim3 dim_blocks() {
    return dim3(__nvvm_read_ptx_sreg_cluster_nctaid_x(),
                __nvvm_read_ptx_sreg_cluster_nctaid_y(),
                __nvvm_read_ptx_sreg_cluster_nctaid_z());
  }
  static __device__ __forceinline__ unsigned thread_rank() {
    return block_rank() * thread_block::num_threads() +
           thread_block::thread_rank();
  }
  static __device__ __forceinline__ unsigned num_threads() {
    return num_blocks() * thread_block::num_threads();
  }
  static __device__ __forceinline__ unsigned size() { return num_threads(); }
  template <class T>
  static __device__ __forceinline__ T *map_shared_rank(T *address, int rank) {
    return (T *)__nvvm_mapa((void *)address, rank);
  }
  static __device__ __forceinline__ unsigned
  query_shared_rank(const void *address) {
    return (unsigned)__nvvm_getctarank((void *)address);
  }
};

static __device__ __forceinline__ cluster_group this_cluster() {
  return cluster_group();
}
#endif

// What tiles and coalesced groups share: lanes of one warp.
class __gpuverify_lanes {
protected:
  unsigned lanes;
  __device__ __forceinline__ explicit __gpuverify_lanes(unsigned lanes)
      : lanes(lanes) {}

public:
  __device__ __forceinline__ void sync() const { __syncwarp(lanes); }
  __device__ __forceinline__ int any(int e) const {
    return __any_sync(lanes, e);
  }
  __device__ __forceinline__ int all(int e) const {
    return __all_sync(lanes, e);
  }
  __device__ __forceinline__ unsigned __gpuverify_mask() const { return lanes; }
};

template <unsigned width, class Parent = void>
class thread_block_tile : public __gpuverify_lanes {
  static_assert(width <= 32 && (width & (width - 1)) == 0,
                "a tile is a power of two of threads of one warp");

  unsigned tile, tiles; // of the parent

  static __device__ __forceinline__ unsigned rank_in_block() {
    return thread_block::thread_rank();
  }
  static __device__ __forceinline__ unsigned first_lane() {
    return rank_in_block() % 32 / width * width;
  }

public:
  template <class Whole>
  __device__ __forceinline__ explicit thread_block_tile(const Whole &whole)
      : __gpuverify_lanes((0xffffffffu >> (32 - width)) << first_lane()),
        tile((unsigned)whole.thread_rank() / width),
        tiles(((unsigned)whole.num_threads() + width - 1) / width) {}
  template <class Other>
  __device__ __forceinline__
  thread_block_tile(const thread_block_tile<width, Other> &other)
      : __gpuverify_lanes(other.__gpuverify_mask()),
        tile(other.meta_group_rank()), tiles(other.meta_group_size()) {}
  static __device__ __forceinline__ unsigned thread_rank() {
    return rank_in_block() % width;
  }
  static __device__ __forceinline__ constexpr unsigned num_threads() {
    return width;
  }
  static __device__ __forceinline__ constexpr unsigned size() { return width; }
  __device__ __forceinline__ unsigned meta_group_rank() const { return tile; }
  __device__ __forceinline__ unsigned meta_group_size() const { return tiles; }
  template <class T>
  __device__ __forceinline__ T shfl(T value, int rank) const {
    return __shfl_sync(lanes, value, rank, width);
  }
  template <class T>
  __device__ __forceinline__ T shfl_up(T value, unsigned delta) const {
    return __shfl_up_sync(lanes, value, delta, width);
  }
  template <class T>
  __device__ __forceinline__ T shfl_down(T value, unsigned delta) const {
    return __shfl_down_sync(lanes, value, delta, width);
  }
  template <class T>
  __device__ __forceinline__ T shfl_xor(T value, unsigned bits) const {
    return __shfl_xor_sync(lanes, value, (int)bits, width);
  }
  __device__ __forceinline__ unsigned ballot(int e) const {
    return (__ballot_sync(lanes, e) & lanes) >> first_lane();
  }
  template <class T>
  __device__ __forceinline__ unsigned match_any(T value) const {
    return (__match_any_sync(lanes, value) & lanes) >> first_lane();
  }
  template <class T>
  __device__ __forceinline__ unsigned match_all(T value, int &is_same) const {
    return (__match_all_sync(lanes, value, &is_same) & lanes) >> first_lane();
  }
};

class coalesced_group : public __gpuverify_lanes {
  // The lane of the thread that has so many of the group before it.
  __device__ __forceinline__ int lane_of(unsigned rank) const {
    return (int)__nvvm_fns(lanes, 0, (int)rank + 1);
  }
  // Those of a mask of lanes by their ranks.
  __device__ __forceinline__ unsigned packed(unsigned mask) const {
    unsigned ranks = 0;
    for (unsigned rank = 0; rank < num_threads(); rank++)
      ranks |= (mask >> lane_of(rank) & 1) << rank;
    return ranks;
  }

public:
  __device__ __forceinline__ coalesced_group()
      : __gpuverify_lanes(__activemask()) {}
  __device__ __forceinline__ explicit coalesced_group(unsigned lanes)
      : __gpuverify_lanes(lanes) {}
  __device__ __forceinline__ unsigned thread_rank() const {
    return (unsigned)__popc(lanes & __nvvm_read_ptx_sreg_lanemask_lt());
  }
  __device__ __forceinline__ unsigned num_threads() const {
    return (unsigned)__popc(lanes);
  }
  __device__ __forceinline__ unsigned size() const { return num_threads(); }
  template <class T>
  __device__ __forceinline__ T shfl(T value, unsigned rank) const {
    return __shfl_sync(lanes, value, lane_of(rank), 32);
  }
  // Whoever has none so far away keeps its own.
  template <class T>
  __device__ __forceinline__ T shfl_up(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return shfl(value, delta <= rank ? rank - delta : rank);
  }
  template <class T>
  __device__ __forceinline__ T shfl_down(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return shfl(value, rank + delta < num_threads() ? rank + delta : rank);
  }
  __device__ __forceinline__ unsigned ballot(int e) const {
    return packed(__ballot_sync(lanes, e));
  }
  template <class T>
  __device__ __forceinline__ unsigned match_any(T value) const {
    return packed(__match_any_sync(lanes, value));
  }
  template <class T>
  __device__ __forceinline__ unsigned match_all(T value, int &is_same) const {
    return packed(__match_all_sync(lanes, value, &is_same));
  }
};

// Whatever a function for several kinds of group is given.
class thread_group {
  enum Kind { BLOCK, GRID, LANES } kind;
  unsigned lanes;

  __device__ __forceinline__ coalesced_group some() const {
    return coalesced_group(lanes);
  }

public:
  __device__ __forceinline__ thread_group(const thread_block &)
      : kind(BLOCK), lanes(0) {}
  __device__ __forceinline__ thread_group(const grid_group &)
      : kind(GRID), lanes(0) {}
  __device__ __forceinline__ thread_group(const __gpuverify_lanes &group)
      : kind(LANES), lanes(group.__gpuverify_mask()) {}
  __device__ __forceinline__ void sync() const {
    if (kind == BLOCK)
      thread_block::sync();
    else if (kind == GRID)
      grid_group::sync();
    else
      __syncwarp(lanes);
  }
  __device__ __forceinline__ unsigned long long thread_rank() const {
    return kind == BLOCK  ? thread_block::thread_rank()
           : kind == GRID ? grid_group::thread_rank()
                          : some().thread_rank();
  }
  __device__ __forceinline__ unsigned long long num_threads() const {
    return kind == BLOCK  ? thread_block::num_threads()
           : kind == GRID ? grid_group::num_threads()
                          : some().num_threads();
  }
  __device__ __forceinline__ unsigned long long size() const {
    return num_threads();
  }
};

static __device__ __forceinline__ thread_block this_thread_block() {
  return thread_block();
}
static __device__ __forceinline__ grid_group this_grid() {
  return grid_group();
}
static __device__ __forceinline__ coalesced_group coalesced_threads() {
  return coalesced_group();
}
template <unsigned width, class Parent>
static __device__ __forceinline__ thread_block_tile<width, Parent>
tiled_partition(const Parent &whole) {
  return thread_block_tile<width, Parent>(whole);
}
// Those of a group for whom `is_in` is the same, or the label.
template <class Group>
static __device__ __forceinline__ coalesced_group
binary_partition(const Group &group, bool is_in) {
  unsigned lanes = group.__gpuverify_mask();
  unsigned those = __ballot_sync(lanes, is_in);
  return coalesced_group(lanes & (is_in ? those : ~those));
}
template <class Group, class T>
static __device__ __forceinline__ coalesced_group
labeled_partition(const Group &group, T label) {
  unsigned lanes = group.__gpuverify_mask();
  return coalesced_group(lanes & __match_any_sync(lanes, label));
}

template <class Group>
static __device__ __forceinline__ void sync(const Group &group) {
  group.sync();
}
template <class Group>
static __device__ __forceinline__ void synchronize(const Group &group) {
  group.sync();
}
template <class Group>
static __device__ __forceinline__ auto thread_rank(const Group &group)
    -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
static __device__ __forceinline__ auto group_size(const Group &group)
    -> decltype(group.size()) {
  return group.size();
}

template <class T> struct plus {
  __device__ __forceinline__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  __device__ __forceinline__ T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
template <class T> struct greater {
  __device__ __forceinline__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
template <class T> struct bit_and {
  __device__ __forceinline__ T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  __device__ __forceinline__ T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  __device__ __forceinline__ T operator()(T a, T b) const { return a ^ b; }
};

// All lanes of the group get the result.
template <unsigned width, class Parent, class T, class Operation>
static __device__ __forceinline__ T
reduce(const thread_block_tile<width, Parent> &tile, T value,
       Operation operation) {
#pragma unroll
  for (unsigned bits = width / 2; bits > 0; bits /= 2)
    value = operation(value, tile.shfl_xor(value, bits));
  return value;
}
template <class T, class Operation>
static __device__ __forceinline__ T reduce(const coalesced_group &group,
                                           T value, Operation operation) {
  T all = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.num_threads(); rank++)
    all = operation(all, group.shfl(value, rank));
  return all;
}

// Of the values of all lanes up to one's own, or before it.
template <class Group, class T, class Operation>
static __device__ __forceinline__ T inclusive_scan(const Group &group, T value,
                                                   Operation operation) {
  for (unsigned delta = 1; delta < group.num_threads(); delta *= 2) {
    T below = group.shfl_up(value, delta);
    if (group.thread_rank() >= delta)
      value = operation(below, value);
  }
  return value;
}
template <class Group, class T>
static __device__ __forceinline__ T inclusive_scan(const Group &group,
                                                   T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Operation>
static __device__ __forceinline__ T exclusive_scan(const Group &group, T value,
                                                   Operation operation) {
  T below = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() ? below : T();
}
template <class Group, class T>
static __device__ __forceinline__ T exclusive_scan(const Group &group,
                                                   T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
