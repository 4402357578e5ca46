// min and max, on both sides and for operands of two types.
//
// nvcc declares a function for each pair of types; clang's headers and the
// SDK's, as clang includes them, leave out the host and most mixed pairs.
// A function of the user's or the library's that fits as well is preferred:
// nothing is less specialised than these templates.  They exist once for each
// side, since in a function of both sides clang takes the device's min(int,
// int) before a template of both, and then complains that it is the device's.

#ifndef GPUVERIFY_CUDA_MINMAX_H
#define GPUVERIFY_CUDA_MINMAX_H

template <bool> struct __gpuverify_numbers;
template <> struct __gpuverify_numbers<true> {
  template <class A, class B> using sum = decltype(A() + B());
};
#define __GPUVERIFY_SUM(A, B)                                                  \
  typename __gpuverify_numbers<__is_arithmetic(A) &&                           \
                               __is_arithmetic(B)>::template sum<A, B>

#define __GPUVERIFY_MIN_MAX(side)                                              \
  template <class A, class B>                                                  \
  static inline                                                                \
      __attribute__((side, always_inline)) constexpr __GPUVERIFY_SUM(A, B)     \
          min(A a, B b) {                                                      \
    typedef __GPUVERIFY_SUM(A, B) type;                                        \
    return static_cast<type>(b) < static_cast<type>(a) ? static_cast<type>(b)  \
                                                       : static_cast<type>(a); \
  }                                                                            \
  template <class A, class B>                                                  \
  static inline                                                                \
      __attribute__((side, always_inline)) constexpr __GPUVERIFY_SUM(A, B)     \
          max(A a, B b) {                                                      \
    typedef __GPUVERIFY_SUM(A, B) type;                                        \
    return static_cast<type>(a) < static_cast<type>(b) ? static_cast<type>(b)  \
                                                       : static_cast<type>(a); \
  }

__GPUVERIFY_MIN_MAX(host)
__GPUVERIFY_MIN_MAX(device)

#undef __GPUVERIFY_MIN_MAX
#undef __GPUVERIFY_SUM

#endif
