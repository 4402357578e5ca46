// What GPUVerify's own headers gave each CUDA kernel, for kernels that were
// written to them:
//
//   gpuverify -include gpuverify/compat.h kernel.cu
//
// Cooperative groups and random numbers without an #include, synchronize(group),
// operators over vectors, each element for itself, clamp, lerp and saturate, and
// __all as an annotation.
// Programs that bring their own do not need it.

#ifndef GPUVERIFY_COMPAT_H
#define GPUVERIFY_COMPAT_H

#include <cooperative_groups.h>
#include <curand_kernel.h>

#ifndef GPUVERIFY_COOPERATIVE_GROUPS_H // the SDK's has it no more
namespace cooperative_groups {
template <class Group>
static __device__ __forceinline__ void synchronize(const Group &group) {
  group.sync();
}
} // namespace cooperative_groups
#endif

#define __GPUVERIFY_INLINE static __host__ __device__ __forceinline__

// ------------------------------------------------------------- operators ---

// Of two vectors, and of a vector and a number.  EACH(op, to, a, b) says of each
// element e: to e = a e op b e;
#define __GPUVERIFY_BINARY(op, vector, number, EACH)                           \
  __GPUVERIFY_INLINE vector operator op(vector a, vector b) {                  \
    EACH(op, a., a., b.) return a;                                             \
  }                                                                            \
  __GPUVERIFY_INLINE vector operator op(vector a, number b) {                  \
    return a op __gpuverify_all_of<vector>(b);                                 \
  }                                                                            \
  __GPUVERIFY_INLINE vector operator op(number a, vector b) {                  \
    return __gpuverify_all_of<vector>(a) op b;                                 \
  }                                                                            \
  __GPUVERIFY_INLINE void operator op##=(vector &a, vector b) { a = a op b; }  \
  __GPUVERIFY_INLINE void operator op##=(vector &a, number b) { a = a op b; }

#define __GPUVERIFY_EACH_2(op, to, a, b) to x = a x op b x, to y = a y op b y;
#define __GPUVERIFY_EACH_3(op, to, a, b)                                       \
  __GPUVERIFY_EACH_2(op, to, a, b) to z = a z op b z;
#define __GPUVERIFY_EACH_4(op, to, a, b)                                       \
  __GPUVERIFY_EACH_3(op, to, a, b) to w = a w op b w;

template <class Vector, class Number>
static __host__ __device__ Vector __gpuverify_all_of(Number number);

#define __GPUVERIFY_ALL_OF(vector, number, ...)                                \
  template <>                                                                  \
  __host__ __device__ __forceinline__ vector                                   \
  __gpuverify_all_of<vector, number>(number a) {                               \
    return vector{__VA_ARGS__};                                                \
  }

#define __GPUVERIFY_OPERATORS(vector, number, EACH)                            \
  __GPUVERIFY_BINARY(+, vector, number, EACH)                                  \
  __GPUVERIFY_BINARY(-, vector, number, EACH)                                  \
  __GPUVERIFY_BINARY(*, vector, number, EACH)                                  \
  __GPUVERIFY_BINARY(/, vector, number, EACH)                                  \
  __GPUVERIFY_INLINE vector operator-(vector a) {                              \
    return __gpuverify_all_of<vector>(number(0)) - a;                          \
  }

#define __GPUVERIFY_VECTORS(number, base)                                      \
  __GPUVERIFY_ALL_OF(base##2, number, a, a)                                    \
  __GPUVERIFY_ALL_OF(base##3, number, a, a, a)                                 \
  __GPUVERIFY_ALL_OF(base##4, number, a, a, a, a)                              \
  __GPUVERIFY_OPERATORS(base##2, number, __GPUVERIFY_EACH_2)                   \
  __GPUVERIFY_OPERATORS(base##3, number, __GPUVERIFY_EACH_3)                   \
  __GPUVERIFY_OPERATORS(base##4, number, __GPUVERIFY_EACH_4)

__GPUVERIFY_VECTORS(float, float)
__GPUVERIFY_VECTORS(int, int)
__GPUVERIFY_VECTORS(unsigned, uint)

// ------------------------------------------------------------- functions ---

__GPUVERIFY_INLINE float clamp(float a, float least, float most) {
  return fmaxf(least, fminf(a, most));
}
__GPUVERIFY_INLINE int clamp(int a, int least, int most) {
  return a < least ? least : a > most ? most : a;
}
__GPUVERIFY_INLINE unsigned clamp(unsigned a, unsigned least, unsigned most) {
  return a < least ? least : a > most ? most : a;
}
__GPUVERIFY_INLINE float saturate(float a) { return clamp(a, 0.0f, 1.0f); }
__GPUVERIFY_INLINE float lerp(float a, float b, float part) {
  return a + part * (b - a);
}

#undef __GPUVERIFY_VECTORS
#undef __GPUVERIFY_OPERATORS
#undef __GPUVERIFY_ALL_OF
#undef __GPUVERIFY_EACH_4
#undef __GPUVERIFY_EACH_3
#undef __GPUVERIFY_EACH_2
#undef __GPUVERIFY_BINARY
#undef __GPUVERIFY_INLINE

// A predicate of any two threads, where CUDA has a vote of a warp.
#undef __all
#define __all(e) ((int)__other_bool(e) & (int)!!(e))

#endif
