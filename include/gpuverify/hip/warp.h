// What the lanes of a wavefront tell each other.
//
//   __shfl, _up, _down, _xor    llvm.amdgcn.ds.bpermute; longer values go as
//                               several words
//   __ballot, __all, __any      llvm.amdgcn.ballot.i64
//   __lane_id                   llvm.amdgcn.mbcnt.hi of mbcnt.lo
//
// Lanes that are not there take no part, and nobody waits.  With _sync there is
// a mask, which changes nothing of that.  None of these orders accesses to
// memory.

#ifndef GPUVERIFY_HIP_WARP_H
#define GPUVERIFY_HIP_WARP_H

#include "../cuda/words.h"

#ifdef __HIP_DEVICE_COMPILE__
#define __GPUVERIFY_HIP_LANES (int)__builtin_amdgcn_wavefrontsize()
#else
#define __GPUVERIFY_HIP_LANES 64
#endif

struct __gpuverify_warp_size {
  __host__ __device__ inline __attribute__((always_inline))
  operator int() const {
    return __GPUVERIFY_HIP_LANES;
  }
};
static constexpr __device__ __gpuverify_warp_size warpSize;

typedef unsigned long long __gpuverify_lanes;

#ifdef __HIP_DEVICE_COMPILE__
__GPUVERIFY_DEVICE_INLINE unsigned __lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
__GPUVERIFY_DEVICE_INLINE __gpuverify_lanes __ballot(int e) {
  return __builtin_amdgcn_ballot_w64(e != 0);
}
__GPUVERIFY_DEVICE_INLINE __gpuverify_lanes __activemask() {
  return __builtin_amdgcn_ballot_w64(true);
}
template <class T>
__GPUVERIFY_DEVICE_INLINE T __gpuverify_from(T value, int lane) {
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    words[i] = __builtin_amdgcn_ds_bpermute(lane << 2, words[i]);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
#else
__device__ unsigned __lane_id();
__device__ __gpuverify_lanes __ballot(int e);
__device__ __gpuverify_lanes __activemask();
template <class T> __device__ T __gpuverify_from(T value, int lane);
#endif

__GPUVERIFY_DEVICE_INLINE int __any(int e) { return __ballot(e) != 0; }
__GPUVERIFY_DEVICE_INLINE int __all(int e) { return __ballot(!e) == 0; }

// What is shorter than an int is an int, as in all arithmetic.
template <class T>
using __gpuverify_promoted = __GPUVERIFY_IF(__is_arithmetic(T) || __is_enum(T),
                                            decltype(+T()));
#define __GPUVERIFY_HIP_SHUFFLE(name, lane_type, from)                         \
  template <class T>                                                           \
  __GPUVERIFY_DEVICE_INLINE __gpuverify_promoted<T> name(                      \
      T value, lane_type lane, int width = warpSize) {                         \
    int self = (int)__lane_id(), start = self & -width, to = from;             \
    bool is_inside = to >= start && to < start + width;                        \
    return __gpuverify_from(+value, is_inside ? to : self);                    \
  }                                                                            \
  template <class T>                                                           \
  __GPUVERIFY_DEVICE_INLINE __gpuverify_promoted<T> name##_sync(               \
      __gpuverify_lanes, T value, lane_type lane, int width = warpSize) {      \
    return name(value, lane, width);                                           \
  }
__GPUVERIFY_HIP_SHUFFLE(__shfl, int, start + (lane & (width - 1)))
__GPUVERIFY_HIP_SHUFFLE(__shfl_up, unsigned, self - (int)lane)
__GPUVERIFY_HIP_SHUFFLE(__shfl_down, unsigned, self + (int)lane)
__GPUVERIFY_HIP_SHUFFLE(__shfl_xor, int, self ^ lane)

__GPUVERIFY_DEVICE_INLINE int __any_sync(__gpuverify_lanes, int e) {
  return __any(e);
}
__GPUVERIFY_DEVICE_INLINE int __all_sync(__gpuverify_lanes, int e) {
  return __all(e);
}
__GPUVERIFY_DEVICE_INLINE __gpuverify_lanes
__ballot_sync(__gpuverify_lanes mask, int e) {
  return __ballot(e) & mask;
}

#endif
