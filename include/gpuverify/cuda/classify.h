// isnan, isinf, isfinite and signbit for the host without std::.
//
// nvcc declares them for both sides whatever a program includes; the C++
// library has them in the global namespace only in <math.h>, and clang's headers
// only for the device.  Templates do not collide with what <math.h> brings, and
// it is preferred.

#ifndef GPUVERIFY_CUDA_CLASSIFY_H
#define GPUVERIFY_CUDA_CLASSIFY_H

template <bool> struct __gpuverify_classified;
template <> struct __gpuverify_classified<true> {
  typedef bool type;
};

#define __GPUVERIFY_CLASSIFY(name, builtin)                                    \
  template <class T>                                                           \
  static inline __attribute__((host, always_inline)) constexpr                 \
      typename __gpuverify_classified<__is_floating_point(T)>::type            \
      name(T x) {                                                              \
    return builtin(x);                                                         \
  }

__GPUVERIFY_CLASSIFY(isnan, __builtin_isnan)
__GPUVERIFY_CLASSIFY(isinf, __builtin_isinf)
__GPUVERIFY_CLASSIFY(isfinite, __builtin_isfinite)
__GPUVERIFY_CLASSIFY(signbit, __builtin_signbit)

#undef __GPUVERIFY_CLASSIFY

#endif
