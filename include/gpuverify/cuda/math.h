// Mathematics: each function is one of libdevice's by another name.
//
// sinf and sin of a float are declared to be __nv_sinf itself.  So a call in
// the program is the same call in IR, and there are hundreds of declarations
// to read, but hardly a body.  The host's functions of the same names are the
// C library's, for programs that do not include <math.h>.
//
// All are in namespace std, too, and have to be before the C++ library's
// headers declare functions there that are constexpr: these would else be the
// device's as well, and no one could tell them from ours.

#ifndef GPUVERIFY_CUDA_MATH_H
#define GPUVERIFY_CUDA_MATH_H

#include "intrinsics.h"

template <class T, class Result>
using __gpuverify_if_integer = __GPUVERIFY_IF(__is_integral(T), Result);
template <class A, class B, class Result>
using __gpuverify_if_numbers = __GPUVERIFY_IF(__is_arithmetic(A) &&
                                                  __is_arithmetic(B),
                                              Result);

// For doubles, for floats by two names, and for integers, which are doubles.
#define __GPUVERIFY_OF_ONE(result, name)                                       \
  __GPUVERIFY_LIBDEVICE(result, name, (double), name)                          \
  template <class T>                                                           \
  __GPUVERIFY_DEVICE_INLINE __gpuverify_if_integer<T, result> name(T x) {      \
    return name((double)x);                                                    \
  }
#define __GPUVERIFY_REAL(name)                                                 \
  __GPUVERIFY_OF_ONE(double, name)                                             \
  __GPUVERIFY_LIBDEVICE(float, name, (float), name##f)                         \
  __GPUVERIFY_LIBDEVICE(float, name##f, (float), name##f)

// The same where clang may be told to prefer speed to accuracy.
#define __GPUVERIFY_REAL_ROUGH(name, name_float)                               \
  __GPUVERIFY_OF_ONE(double, name)                                             \
  __GPUVERIFY_LIBDEVICE(float, name, (float), name_float)                      \
  __GPUVERIFY_LIBDEVICE(float, name##f, (float), name_float)

// Of two numbers, also of different types.
#define __GPUVERIFY_REAL_2(name)                                               \
  __GPUVERIFY_LIBDEVICE(double, name, (double, double), name)                  \
  __GPUVERIFY_LIBDEVICE(float, name, (float, float), name##f)                  \
  __GPUVERIFY_LIBDEVICE(float, name##f, (float, float), name##f)               \
  template <class A, class B>                                                  \
  __GPUVERIFY_DEVICE_INLINE __gpuverify_if_numbers<A, B, double> name(A a,     \
                                                                      B b) {   \
    return name((double)a, (double)b);                                         \
  }

// A whole number of one; the float's function has its own name in libdevice.
#define __GPUVERIFY_WHOLE(result, name, name_float)                            \
  __GPUVERIFY_OF_ONE(result, name)                                             \
  __GPUVERIFY_LIBDEVICE(result, name, (float), name_float)                     \
  __GPUVERIFY_LIBDEVICE(result, name##f, (float), name_float)

// A number and something else.
#define __GPUVERIFY_REAL_AND(name, type, type_float)                           \
  __GPUVERIFY_LIBDEVICE(double, name, (double, type), name)                    \
  __GPUVERIFY_LIBDEVICE(float, name, (float, type_float), name##f)             \
  __GPUVERIFY_LIBDEVICE(float, name##f, (float, type_float), name##f)          \
  template <class T>                                                           \
  __GPUVERIFY_DEVICE_INLINE __gpuverify_if_integer<T, double> name(            \
      T x, type other) {                                                       \
    return name((double)x, other);                                             \
  }

// The host's, and both sides' in namespace std.
#define __GPUVERIFY_C(result, result_float, name, arguments, arguments_float)  \
  extern "C" result name arguments noexcept;                                   \
  extern "C" result_float name##f arguments_float noexcept;                    \
  namespace std {                                                              \
  using ::name;                                                                \
  using ::name##f;                                                             \
  }
#define __GPUVERIFY_C_REAL(name)                                               \
  __GPUVERIFY_REAL(name)                                                       \
  __GPUVERIFY_C(double, float, name, (double), (float))
#define __GPUVERIFY_C_REAL_ROUGH(name, name_float)                             \
  __GPUVERIFY_REAL_ROUGH(name, name_float)                                     \
  __GPUVERIFY_C(double, float, name, (double), (float))
#define __GPUVERIFY_C_REAL_2(name)                                             \
  __GPUVERIFY_REAL_2(name)                                                     \
  __GPUVERIFY_C(double, float, name, (double, double), (float, float))
#define __GPUVERIFY_C_WHOLE(result, name, name_float)                          \
  __GPUVERIFY_WHOLE(result, name, name_float)                                  \
  __GPUVERIFY_C(result, result, name, (double), (float))
#define __GPUVERIFY_C_REAL_AND(name, type, type_float)                         \
  __GPUVERIFY_REAL_AND(name, type, type_float)                                 \
  __GPUVERIFY_C(double, float, name, (double, type), (float, type_float))

__GPUVERIFY_C_REAL(acos)
__GPUVERIFY_C_REAL(acosh)
__GPUVERIFY_C_REAL(asin)
__GPUVERIFY_C_REAL(asinh)
__GPUVERIFY_C_REAL(atan)
__GPUVERIFY_C_REAL(atanh)
__GPUVERIFY_C_REAL(cbrt)
__GPUVERIFY_C_REAL(ceil)
__GPUVERIFY_C_REAL(cosh)
__GPUVERIFY_C_REAL(erf)
__GPUVERIFY_C_REAL(erfc)
__GPUVERIFY_C_REAL(exp)
__GPUVERIFY_C_REAL(exp2)
__GPUVERIFY_C_REAL(expm1)
__GPUVERIFY_C_REAL(fabs)
__GPUVERIFY_C_REAL(floor)
__GPUVERIFY_C_REAL(lgamma)
__GPUVERIFY_C_REAL(log10)
__GPUVERIFY_C_REAL(log1p)
__GPUVERIFY_C_REAL(logb)
__GPUVERIFY_C_REAL(round)
__GPUVERIFY_C_REAL(sinh)
__GPUVERIFY_C_REAL(sqrt)
__GPUVERIFY_C_REAL(tan)
__GPUVERIFY_C_REAL(tanh)
__GPUVERIFY_C_REAL(tgamma)
__GPUVERIFY_C_REAL(trunc)
#ifdef __CLANG_GPU_APPROX_TRANSCENDENTALS__
__GPUVERIFY_C_REAL_ROUGH(cos, fast_cosf)
__GPUVERIFY_C_REAL_ROUGH(log, fast_logf)
__GPUVERIFY_C_REAL_ROUGH(log2, fast_log2f)
__GPUVERIFY_C_REAL_ROUGH(sin, fast_sinf)
#else
__GPUVERIFY_C_REAL(cos)
__GPUVERIFY_C_REAL(log)
__GPUVERIFY_C_REAL(log2)
__GPUVERIFY_C_REAL(sin)
#endif
__GPUVERIFY_C_REAL_2(atan2)
__GPUVERIFY_C_REAL_2(copysign)
__GPUVERIFY_C_REAL_2(fdim)
__GPUVERIFY_C_REAL_2(fmax)
__GPUVERIFY_C_REAL_2(fmin)
__GPUVERIFY_C_REAL_2(fmod)
__GPUVERIFY_C_REAL_2(hypot)
__GPUVERIFY_C_REAL_2(nextafter)
__GPUVERIFY_LIBDEVICE(double, pow, (double, int), powi)
__GPUVERIFY_LIBDEVICE(float, pow, (float, int), powif)
__GPUVERIFY_C_REAL_2(pow)
__GPUVERIFY_C_REAL_2(remainder)
__GPUVERIFY_C_WHOLE(int, ilogb, ilogbf)
__GPUVERIFY_C_WHOLE(long long, llrint, llrintf)
__GPUVERIFY_C_WHOLE(long long, llround, llroundf)
__GPUVERIFY_C_REAL_AND(frexp, int *, int *)
__GPUVERIFY_C_REAL_AND(ldexp, int, int)
__GPUVERIFY_C_REAL_AND(modf, double *, float *)
__GPUVERIFY_C_REAL_AND(scalbn, int, int)

__GPUVERIFY_REAL(cospi)
__GPUVERIFY_REAL(cyl_bessel_i0)
__GPUVERIFY_REAL(cyl_bessel_i1)
__GPUVERIFY_REAL(erfcinv)
__GPUVERIFY_REAL(erfcx)
__GPUVERIFY_REAL(erfinv)
__GPUVERIFY_REAL(exp10)
__GPUVERIFY_REAL(normcdf)
__GPUVERIFY_REAL(normcdfinv)
__GPUVERIFY_REAL(rcbrt)
__GPUVERIFY_REAL(rsqrt)
__GPUVERIFY_REAL(sinpi)
__GPUVERIFY_REAL_2(rhypot)

// What has no family: result, name, arguments, libdevice's name.
__GPUVERIFY_LIBDEVICE(int, abs, (int), abs)
__GPUVERIFY_LIBDEVICE(long, abs, (long), llabs)
__GPUVERIFY_LIBDEVICE(long long, abs, (long long), llabs)
__GPUVERIFY_LIBDEVICE(float, abs, (float), fabsf)
__GPUVERIFY_LIBDEVICE(double, abs, (double), fabs)
__GPUVERIFY_LIBDEVICE(long, labs, (long), llabs)
__GPUVERIFY_LIBDEVICE(long long, llabs, (long long), llabs)
__GPUVERIFY_LIBDEVICE(double, fma, (double, double, double), fma)
__GPUVERIFY_LIBDEVICE(float, fma, (float, float, float), fmaf)
__GPUVERIFY_LIBDEVICE(float, fmaf, (float, float, float), fmaf)
__GPUVERIFY_LIBDEVICE(double, j0, (double), j0)
__GPUVERIFY_LIBDEVICE(float, j0f, (float), j0f)
__GPUVERIFY_LIBDEVICE(double, j1, (double), j1)
__GPUVERIFY_LIBDEVICE(float, j1f, (float), j1f)
__GPUVERIFY_LIBDEVICE(double, jn, (int, double), jn)
__GPUVERIFY_LIBDEVICE(float, jnf, (int, float), jnf)
__GPUVERIFY_LIBDEVICE(long, lrint, (double), llrint)
__GPUVERIFY_LIBDEVICE(long, lrint, (float), float2ll_rn)
__GPUVERIFY_LIBDEVICE(long, lrintf, (float), float2ll_rn)
__GPUVERIFY_LIBDEVICE(long, lround, (double), llround)
__GPUVERIFY_LIBDEVICE(long, lround, (float), llroundf)
__GPUVERIFY_LIBDEVICE(long, lroundf, (float), llroundf)
__GPUVERIFY_LIBDEVICE(double, norm3d, (double, double, double), norm3d)
__GPUVERIFY_LIBDEVICE(float, norm3df, (float, float, float), norm3df)
__GPUVERIFY_LIBDEVICE(double, norm4d, (double, double, double, double), norm4d)
__GPUVERIFY_LIBDEVICE(float, norm4df, (float, float, float, float), norm4df)
__GPUVERIFY_LIBDEVICE(double, powi, (double, int), powi)
__GPUVERIFY_LIBDEVICE(float, powif, (float, int), powif)
__GPUVERIFY_LIBDEVICE(double, remquo, (double, double, int *), remquo)
__GPUVERIFY_LIBDEVICE(float, remquo, (float, float, int *), remquof)
__GPUVERIFY_LIBDEVICE(float, remquof, (float, float, int *), remquof)
__GPUVERIFY_LIBDEVICE(double, rnorm3d, (double, double, double), rnorm3d)
__GPUVERIFY_LIBDEVICE(float, rnorm3df, (float, float, float), rnorm3df)
__GPUVERIFY_LIBDEVICE(double, rnorm4d, (double, double, double, double),
                      rnorm4d)
__GPUVERIFY_LIBDEVICE(float, rnorm4df, (float, float, float, float), rnorm4df)
__GPUVERIFY_LIBDEVICE(void, sincos, (double, double *, double *), sincos)
#ifdef __CLANG_GPU_APPROX_TRANSCENDENTALS__
__GPUVERIFY_LIBDEVICE(void, sincosf, (float, float *, float *), fast_sincosf)
#else
__GPUVERIFY_LIBDEVICE(void, sincosf, (float, float *, float *), sincosf)
#endif
__GPUVERIFY_LIBDEVICE(void, sincospi, (double, double *, double *), sincospi)
__GPUVERIFY_LIBDEVICE(void, sincospi, (float, float *, float *), sincospif)
__GPUVERIFY_LIBDEVICE(void, sincospif, (float, float *, float *), sincospif)
__GPUVERIFY_LIBDEVICE(double, y0, (double), y0)
__GPUVERIFY_LIBDEVICE(float, y0f, (float), y0f)
__GPUVERIFY_LIBDEVICE(double, y1, (double), y1)
__GPUVERIFY_LIBDEVICE(float, y1f, (float), y1f)
__GPUVERIFY_LIBDEVICE(double, yn, (int, double), yn)
__GPUVERIFY_LIBDEVICE(float, ynf, (int, float), ynf)

__GPUVERIFY_LIBDEVICE(int, max, (int, int), max)
__GPUVERIFY_LIBDEVICE(int, min, (int, int), min)
__GPUVERIFY_LIBDEVICE(unsigned, umax, (unsigned, unsigned), umax)
__GPUVERIFY_LIBDEVICE(unsigned, umin, (unsigned, unsigned), umin)
__GPUVERIFY_LIBDEVICE(long long, llmax, (long long, long long), llmax)
__GPUVERIFY_LIBDEVICE(long long, llmin, (long long, long long), llmin)
__GPUVERIFY_LIBDEVICE(unsigned long long, ullmax,
                      (unsigned long long, unsigned long long), ullmax)
__GPUVERIFY_LIBDEVICE(unsigned long long, ullmin,
                      (unsigned long long, unsigned long long), ullmin)

// libdevice's functions of vectors read memory; here the reads are seen.
#define __GPUVERIFY_NORM(type, suffix)                                         \
  __GPUVERIFY_DEVICE_INLINE type norm##suffix(int n, const type *p) {          \
    type sum = 0;                                                              \
    for (int i = 0; i < n; i++)                                                \
      sum += p[i] * p[i];                                                      \
    return sqrt(sum);                                                          \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type rnorm##suffix(int n, const type *p) {         \
    return 1 / norm##suffix(n, p);                                             \
  }
__GPUVERIFY_NORM(double, )
__GPUVERIFY_NORM(float, f)

// Answered by clang, not by libdevice.
#define __GPUVERIFY_ROUND(name)                                                \
  __GPUVERIFY_DEVICE_INLINE double name(double x) {                            \
    return __builtin_##name(x);                                                \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE float name##f(float x) {                           \
    return __builtin_##name##f(x);                                             \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE float name(float x) { return name##f(x); }         \
  template <class T>                                                           \
  __GPUVERIFY_DEVICE_INLINE __gpuverify_if_integer<T, double> name(T x) {      \
    return name((double)x);                                                    \
  }                                                                            \
  __GPUVERIFY_C(double, float, name, (double), (float))
__GPUVERIFY_ROUND(nearbyint)
__GPUVERIFY_ROUND(rint)

__GPUVERIFY_DEVICE_INLINE double scalbln(double x, long n) {
  return scalbn(x, n > __INT_MAX__    ? __INT_MAX__
                   : n < -__INT_MAX__ ? -__INT_MAX__
                                      : (int)n);
}
__GPUVERIFY_DEVICE_INLINE float scalblnf(float x, long n) {
  return scalbnf(x, n > __INT_MAX__    ? __INT_MAX__
                    : n < -__INT_MAX__ ? -__INT_MAX__
                                       : (int)n);
}
__GPUVERIFY_DEVICE_INLINE float scalbln(float x, long n) {
  return scalblnf(x, n);
}

__GPUVERIFY_DEVICE_INLINE double fdivide(double a, double b) { return a / b; }
__GPUVERIFY_DEVICE_INLINE float fdividef(float a, float b) { return a / b; }
__GPUVERIFY_DEVICE_INLINE double nan(const char *) { return __builtin_nan(""); }
__GPUVERIFY_DEVICE_INLINE float nanf(const char *) {
  return __builtin_nanf("");
}

// Questions to libdevice: a double's and a float's answer.
#define __GPUVERIFY_IS(result, name, answer, answer_float)                     \
  __GPUVERIFY_DEVICE_INLINE result name(double x) { return answer; }           \
  __GPUVERIFY_DEVICE_INLINE result name(float x) { return answer_float; }      \
  template <class T>                                                           \
  __GPUVERIFY_DEVICE_INLINE __gpuverify_if_integer<T, result> name(T x) {      \
    return name((double)x);                                                    \
  }                                                                            \
  namespace std {                                                              \
  using ::name;                                                                \
  }
// Those that clang answers, of numbers of any types.
#define __GPUVERIFY_IS_BUILTIN(result, name, ...)                              \
  template <class T>                                                           \
  __GPUVERIFY_DEVICE_INLINE __gpuverify_if_numbers<T, T, result> name(T x) {   \
    return __builtin_##name(__VA_ARGS__(decltype(x + 0.f)) x);                 \
  }                                                                            \
  namespace std {                                                              \
  using ::name;                                                                \
  }
#define __GPUVERIFY_IS_2(name)                                                 \
  template <class A, class B>                                                  \
  __GPUVERIFY_DEVICE_INLINE __gpuverify_if_numbers<A, B, bool> name(A a,       \
                                                                    B b) {     \
    return __builtin_##name((double)a, (double)b);                             \
  }                                                                            \
  namespace std {                                                              \
  using ::name;                                                                \
  }
__GPUVERIFY_IS(bool, isfinite, __isfinited(x), __finitef(x))
__GPUVERIFY_IS(bool, isinf, __isinf(x), __isinff(x))
__GPUVERIFY_IS(bool, isnan, __isnan(x), __isnanf(x))
__GPUVERIFY_IS(bool, signbit, __signbitd(x), __signbitf(x))
__GPUVERIFY_IS_BUILTIN(bool, isnormal)
__GPUVERIFY_IS_BUILTIN(int, fpclassify, 0, 1, 4, 3, 2, )
__GPUVERIFY_IS_2(isgreater)
__GPUVERIFY_IS_2(isgreaterequal)
__GPUVERIFY_IS_2(isless)
__GPUVERIFY_IS_2(islessequal)
__GPUVERIFY_IS_2(islessgreater)
__GPUVERIFY_IS_2(isunordered)

// Integers where the families have none.
template <class A, class B, class C>
__GPUVERIFY_DEVICE_INLINE
    __gpuverify_if_numbers<A, B, __gpuverify_if_numbers<C, C, double>>
    fma(A a, B b, C c) {
  return fma((double)a, (double)b, (double)c);
}
template <class A, class B>
__GPUVERIFY_DEVICE_INLINE __gpuverify_if_numbers<A, B, double>
remquo(A a, B b, int *quotient) {
  return remquo((double)a, (double)b, quotient);
}
template <class T>
__GPUVERIFY_DEVICE_INLINE __gpuverify_if_integer<T, long> lrint(T x) {
  return lrint((double)x);
}
template <class T>
__GPUVERIFY_DEVICE_INLINE __gpuverify_if_integer<T, long> lround(T x) {
  return lround((double)x);
}
template <class T>
__GPUVERIFY_DEVICE_INLINE __gpuverify_if_integer<T, double> scalbln(T x,
                                                                    long n) {
  return scalbln((double)x, n);
}

__GPUVERIFY_C(double, float, fma, (double, double, double),
              (float, float, float))
__GPUVERIFY_C(long, long, lrint, (double), (float))
__GPUVERIFY_C(long, long, lround, (double), (float))
__GPUVERIFY_C(double, float, remquo, (double, double, int *),
              (float, float, int *))
__GPUVERIFY_C(double, float, scalbln, (double, long), (float, long))
__GPUVERIFY_C(double, float, nan, (const char *), (const char *))

extern "C" {
int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
}
namespace std {
using ::abs;
using ::labs;
using ::llabs;
} // namespace std

// std::min and max without <algorithm>, as nvcc's headers bring them along.
// The condition, twice for clang's <algorithm> has it once, makes these other
// functions than the library's, and preferred ones.
namespace std {
#define __GPUVERIFY_STD_MINMAX(name, first, second)                            \
  template <class T>                                                           \
  __attribute__((enable_if(true, ""), enable_if(true, ""), host,               \
                 device)) inline constexpr const T &                           \
  name(const T &a, const T &b) {                                               \
    return first < second ? b : a;                                             \
  }                                                                            \
  template <class T, class Less>                                               \
  __attribute__((enable_if(true, ""), enable_if(true, ""), host,               \
                 device)) inline constexpr const T &                           \
  name(const T &a, const T &b, Less less) {                                    \
    return less(first, second) ? b : a;                                        \
  }
__GPUVERIFY_STD_MINMAX(max, a, b)
__GPUVERIFY_STD_MINMAX(min, b, a)
} // namespace std

#endif
