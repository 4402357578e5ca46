// int2, float4 and their like, dim3, and how to make them.
//
// Vectors of two and four are aligned to their size, up to 16 bytes, so that
// one instruction moves them; this is part of CUDA's binary interface.

#ifndef GPUVERIFY_CUDA_VECTOR_H
#define GPUVERIFY_CUDA_VECTOR_H

#include "words.h"

#define __GPUVERIFY_ALIGN(size) __align__((size) < 16 ? (size) : 16)
#define __GPUVERIFY_VECTOR(name, type)                                         \
  struct name##1 { type x; };                                                  \
  struct __GPUVERIFY_ALIGN(2 * sizeof(type)) name##2 { type x, y; };           \
  struct name##3 { type x, y, z; };                                            \
  struct __GPUVERIFY_ALIGN(4 * sizeof(type)) name##4 { type x, y, z, w; };     \
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

__GPUVERIFY_VECTOR(char, signed char)
__GPUVERIFY_VECTOR(uchar, unsigned char)
__GPUVERIFY_VECTOR(short, short)
__GPUVERIFY_VECTOR(ushort, unsigned short)
__GPUVERIFY_VECTOR(int, int)
__GPUVERIFY_VECTOR(uint, unsigned int)
__GPUVERIFY_VECTOR(long, long)
__GPUVERIFY_VECTOR(ulong, unsigned long)
__GPUVERIFY_VECTOR(longlong, long long)
__GPUVERIFY_VECTOR(ulonglong, unsigned long long)
__GPUVERIFY_VECTOR(float, float)
__GPUVERIFY_VECTOR(double, double)

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
