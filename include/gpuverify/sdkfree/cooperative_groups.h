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
// A coalesced group is the threads that __activemask happens to name.

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
  static __device__ __forceinline__ void barrier_arrive() {
    __nvvm_barrier_cluster_arrive();
  }
  static __device__ __forceinline__ void barrier_wait() {
    __nvvm_barrier_cluster_wait();
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
};

template <unsigned width, class Parent = void>
class thread_block_tile : public __gpuverify_lanes {
  static_assert(width <= 32 && (width & (width - 1)) == 0,
                "a tile is a power of two of threads of one warp");

  static __device__ __forceinline__ unsigned rank_in_block() {
    return thread_block::thread_rank();
  }
  static __device__ __forceinline__ unsigned first_lane() {
    return rank_in_block() % 32 / width * width;
  }

public:
  __device__ __forceinline__ thread_block_tile()
      : __gpuverify_lanes((0xffffffffu >> (32 - width)) << first_lane()) {}
  static __device__ __forceinline__ unsigned thread_rank() {
    return rank_in_block() % width;
  }
  static __device__ __forceinline__ constexpr unsigned num_threads() {
    return width;
  }
  static __device__ __forceinline__ constexpr unsigned size() { return width; }
  static __device__ __forceinline__ unsigned meta_group_rank() {
    return rank_in_block() / width;
  }
  static __device__ __forceinline__ unsigned meta_group_size() {
    return (thread_block::num_threads() + width - 1) / width;
  }
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
    return __ballot_sync(lanes, e) >> first_lane();
  }
};

class coalesced_group : public __gpuverify_lanes {
  __device__ __forceinline__ int lane_of(unsigned rank) const {
    return (int)__nvvm_fns(lanes, 0, (int)rank + 1);
  }

public:
  __device__ __forceinline__ coalesced_group()
      : __gpuverify_lanes(__activemask()) {}
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
tiled_partition(const Parent &) {
  return thread_block_tile<width, Parent>();
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

// All lanes of the tile get the result.
template <unsigned width, class Parent, class T, class Operation>
static __device__ __forceinline__ T
reduce(const thread_block_tile<width, Parent> &tile, T value,
       Operation operation) {
#pragma unroll
  for (unsigned bits = width / 2; bits > 0; bits /= 2)
    value = operation(value, tile.shfl_xor(value, bits));
  return value;
}

} // namespace cooperative_groups

#endif
