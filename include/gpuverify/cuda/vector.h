// int2, float4 and their like, dim3, and how to make them.
//
// Vectors of two and four are aligned to their size, up to 16 bytes, so that
// one instruction moves them; this is part of CUDA's binary interface.

#ifndef GPUVERIFY_CUDA_VECTOR_H
#define GPUVERIFY_CUDA_VECTOR_H

#include "words.h"

// Two of TYPE are aligned to TWO bytes, four to FOUR.
#define __GPUVERIFY_VECTOR(name, type, two, four)                              \
  struct name##1 { type x; };                                                  \
  struct __attribute__((aligned(two))) name##2 { type x, y; };                 \
  struct name##3 { type x, y, z; };                                            \
  struct __attribute__((aligned(four))) name##4 { type x, y, z, w; };          \
  __GPUVERIFY_BOTH_INLINE name##1 make_##name##1(type x) { return {x}; }       \
  __GPUVERIFY_BOTH_INLINE name##2 make_##name##2(type x, type y) {             \
    return {x, y};                                                             \
  }                                                                            \
  __GPUVERIFY_BOTH_INLINE name##3 make_##name##3(type x, type y, type z) {     \
    return {x, y, z};                                                          \
  }                                                                            \
  __GPUVERIFY_BOTH_INLINE name##4 make_##name##4(type x, type y, type z,       \
                                                 type w) {                     \
    return {x, y, z, w};                                                       \
  }

__GPUVERIFY_VECTOR(char, signed char, 2, 4)
__GPUVERIFY_VECTOR(uchar, unsigned char, 2, 4)
__GPUVERIFY_VECTOR(short, short, 4, 8)
__GPUVERIFY_VECTOR(ushort, unsigned short, 4, 8)
__GPUVERIFY_VECTOR(int, int, 8, 16)
__GPUVERIFY_VECTOR(uint, unsigned int, 8, 16)
__GPUVERIFY_VECTOR(long, long, 2 * sizeof(long), 16)
__GPUVERIFY_VECTOR(ulong, unsigned long, 2 * sizeof(long), 16)
__GPUVERIFY_VECTOR(longlong, long long, 16, 16)
__GPUVERIFY_VECTOR(ulonglong, unsigned long long, 16, 16)
__GPUVERIFY_VECTOR(float, float, 8, 16)
__GPUVERIFY_VECTOR(double, double, 16, 16)

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1,
                                     unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const {
    return uint3{x, y, z};
  }
};

#endif
