// What the threads of a warp tell each other.
//
//   __shfl_sync, _up_, _down_, _xor_
//     llvm.nvvm.shfl.sync.{idx,up,down,bfly}.{i32,f32}(mask, value, lane,
//     clamp); 64 bits go as two halves; without _sync: llvm.nvvm.shfl.<how>
//   __all_sync, __any_sync, __uni_sync, __ballot_sync
//     llvm.nvvm.vote.{all,any,uni,ballot}.sync(i32 mask, i1 e)
//   __match_any_sync, __match_all_sync
//     llvm.nvvm.match.any.sync.i32 / .i64, llvm.nvvm.match.all.sync.i32p/.i64p
//   __reduce_add_sync, ..   llvm.nvvm.redux.sync.{add,min,umin,max,umax,and,
//                           or,xor}(value, i32 mask)
//   __activemask            llvm.nvvm.activemask
//
// None of these orders accesses to memory.

#ifndef GPUVERIFY_CUDA_WARP_H
#define GPUVERIFY_CUDA_WARP_H

#include "words.h"

// One family of shuffles, of numbers: what is shorter than an int is an int,
// as in all arithmetic.  HEAD and MASK are empty but for _sync.
template <class T>
using __gpuverify_promoted = __GPUVERIFY_IF(__is_arithmetic(T) || __is_enum(T),
                                            decltype(+T()));
#define __GPUVERIFY_SHUFFLE(name, builtin, last, lane_type, HEAD, MASK)        \
  template <class T>                                                           \
  __GPUVERIFY_DEVICE_INLINE __gpuverify_promoted<T> name(                      \
      HEAD T value, lane_type lane, int width = 32) {                          \
    const int clamp = (32 - width) << 8 | last;                                \
    if constexpr (__is_same(T, float))                                         \
      return builtin##_f32(MASK value, lane, clamp);                           \
    else if constexpr (sizeof(T) != 8)                                         \
      return builtin##_i32(MASK value, lane, clamp);                           \
    else                                                                       \
      return __gpuverify_from_halves<T>(                                       \
          builtin##_i32(MASK __gpuverify_half<0>(value), lane, clamp),         \
          builtin##_i32(MASK __gpuverify_half<1>(value), lane, clamp));        \
  }

// A number of 64 bits goes as two halves.
template <int half, class T>
__GPUVERIFY_DEVICE_INLINE int __gpuverify_half(T value) {
  return (int)(__builtin_bit_cast(unsigned long long, value) >> 32 * half);
}
template <class T>
__GPUVERIFY_DEVICE_INLINE T __gpuverify_from_halves(int low, int high) {
  return __builtin_bit_cast(T, (unsigned long long)(unsigned)high << 32 |
                                   (unsigned)low);
}

#define __GPUVERIFY_MASK_HEAD unsigned mask,
#define __GPUVERIFY_MASK mask,
#define __GPUVERIFY_NO_MASK
__GPUVERIFY_SHUFFLE(__shfl_sync, __nvvm_shfl_sync_idx, 31, int,
                    __GPUVERIFY_MASK_HEAD, __GPUVERIFY_MASK)
__GPUVERIFY_SHUFFLE(__shfl_up_sync, __nvvm_shfl_sync_up, 0, unsigned,
                    __GPUVERIFY_MASK_HEAD, __GPUVERIFY_MASK)
__GPUVERIFY_SHUFFLE(__shfl_down_sync, __nvvm_shfl_sync_down, 31, unsigned,
                    __GPUVERIFY_MASK_HEAD, __GPUVERIFY_MASK)
__GPUVERIFY_SHUFFLE(__shfl_xor_sync, __nvvm_shfl_sync_bfly, 31, int,
                    __GPUVERIFY_MASK_HEAD, __GPUVERIFY_MASK)
__GPUVERIFY_SHUFFLE(__shfl, __nvvm_shfl_idx, 31, int, __GPUVERIFY_NO_MASK,
                    __GPUVERIFY_NO_MASK)
__GPUVERIFY_SHUFFLE(__shfl_up, __nvvm_shfl_up, 0, unsigned, __GPUVERIFY_NO_MASK,
                    __GPUVERIFY_NO_MASK)
__GPUVERIFY_SHUFFLE(__shfl_down, __nvvm_shfl_down, 31, unsigned,
                    __GPUVERIFY_NO_MASK, __GPUVERIFY_NO_MASK)
__GPUVERIFY_SHUFFLE(__shfl_xor, __nvvm_shfl_bfly, 31, int, __GPUVERIFY_NO_MASK,
                    __GPUVERIFY_NO_MASK)

__GPUVERIFY_DEVICE_INLINE int __all(int e) { return __nvvm_vote_all(e); }
__GPUVERIFY_DEVICE_INLINE int __any(int e) { return __nvvm_vote_any(e); }
__GPUVERIFY_DEVICE_INLINE unsigned __ballot(int e) {
  return __nvvm_vote_ballot(e);
}
__GPUVERIFY_DEVICE_INLINE int __all_sync(unsigned mask, int e) {
  return __nvvm_vote_all_sync(mask, e);
}
__GPUVERIFY_DEVICE_INLINE int __any_sync(unsigned mask, int e) {
  return __nvvm_vote_any_sync(mask, e);
}
__GPUVERIFY_DEVICE_INLINE int __uni_sync(unsigned mask, int e) {
  return __nvvm_vote_uni_sync(mask, e);
}
__GPUVERIFY_DEVICE_INLINE unsigned __ballot_sync(unsigned mask, int e) {
  return __nvvm_vote_ballot_sync(mask, e);
}
__GPUVERIFY_DEVICE_INLINE unsigned __activemask() {
  return __nvvm_activemask();
}
__GPUVERIFY_DEVICE_INLINE unsigned __lane_id() {
  return __nvvm_read_ptx_sreg_laneid();
}

// Any type of four or eight bytes.
template <int bytes> struct __gpuverify_match;
template <> struct __gpuverify_match<4> {
  template <class T>
  static __device__ __forceinline__ unsigned any(unsigned mask, T value) {
    return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(unsigned, value));
  }
  template <class T>
  static __device__ __forceinline__ unsigned all(unsigned mask, T value,
                                                 int *e) {
    return __nvvm_match_all_sync_i32p(mask, __builtin_bit_cast(unsigned, value),
                                      e);
  }
};
template <> struct __gpuverify_match<8> {
  template <class T>
  static __device__ __forceinline__ unsigned any(unsigned mask, T value) {
    return __nvvm_match_any_sync_i64(
        mask, __builtin_bit_cast(unsigned long long, value));
  }
  template <class T>
  static __device__ __forceinline__ unsigned all(unsigned mask, T value,
                                                 int *e) {
    return __nvvm_match_all_sync_i64p(
        mask, __builtin_bit_cast(unsigned long long, value), e);
  }
};
template <class T>
__GPUVERIFY_DEVICE_INLINE unsigned __match_any_sync(unsigned mask, T value) {
  return __gpuverify_match<sizeof(T)>::any(mask, value);
}
template <class T>
__GPUVERIFY_DEVICE_INLINE unsigned __match_all_sync(unsigned mask, T value,
                                                    int *e) {
  return __gpuverify_match<sizeof(T)>::all(mask, value, e);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define __GPUVERIFY_REDUCE(name, type, builtin)                                \
  __GPUVERIFY_DEVICE_INLINE type __reduce_##name##_sync(unsigned mask,         \
                                                        type value) {          \
    return (type)__nvvm_redux_sync_##builtin((int)value, (int)mask);           \
  }
__GPUVERIFY_REDUCE(add, unsigned, add)
__GPUVERIFY_REDUCE(add, int, add)
__GPUVERIFY_REDUCE(min, unsigned, umin)
__GPUVERIFY_REDUCE(min, int, min)
__GPUVERIFY_REDUCE(max, unsigned, umax)
__GPUVERIFY_REDUCE(max, int, max)
__GPUVERIFY_REDUCE(and, unsigned, and)
__GPUVERIFY_REDUCE(or, unsigned, or)
__GPUVERIFY_REDUCE(xor, unsigned, xor)
#endif

#endif
