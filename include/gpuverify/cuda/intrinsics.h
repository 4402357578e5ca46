// Bits, conversions and roundings: libdevice's functions as __<name>.
//
// A row is result, name, arguments and libdevice's name.  The functions that
// take a word for two or four short numbers are libdevice's, too, as they
// were until CUDA 9.2; nobody has to look into inline assembly.

#ifndef GPUVERIFY_CUDA_INTRINSICS_H
#define GPUVERIFY_CUDA_INTRINSICS_H

#include "words.h"

#define __GPUVERIFY_LIBDEVICE(result, name, arguments, symbol)                 \
  __device__ result name arguments __asm__("__nv_" #symbol);
#define __GPUVERIFY_NV(result, name, arguments)                                \
  __device__ result __##name arguments __asm__("__nv_" #name);
#define __GPUVERIFY_NV_ROUNDED(result, name, arguments)                        \
  __GPUVERIFY_NV(result, name##_rd, arguments)                                 \
  __GPUVERIFY_NV(result, name##_rn, arguments)                                 \
  __GPUVERIFY_NV(result, name##_ru, arguments)                                 \
  __GPUVERIFY_NV(result, name##_rz, arguments)
#define __GPUVERIFY_NV_FAST(name, arguments)                                   \
  __device__ float __##name arguments __asm__("__nv_fast_" #name);

__GPUVERIFY_NV(unsigned, brev, (unsigned))
__GPUVERIFY_NV(unsigned long long, brevll, (unsigned long long))
__GPUVERIFY_NV(unsigned, byte_perm, (unsigned, unsigned, unsigned))
__GPUVERIFY_NV(int, clz, (int))
__GPUVERIFY_NV(int, clzll, (long long))
__GPUVERIFY_NV(int, ffs, (int))
__GPUVERIFY_NV(int, ffsll, (long long))
__GPUVERIFY_NV(int, popc, (unsigned))
__GPUVERIFY_NV(int, popcll, (unsigned long long))
__GPUVERIFY_NV(int, hadd, (int, int))
__GPUVERIFY_NV(int, rhadd, (int, int))
__GPUVERIFY_NV(unsigned, uhadd, (unsigned, unsigned))
__GPUVERIFY_NV(unsigned, urhadd, (unsigned, unsigned))
__GPUVERIFY_NV(int, mul24, (int, int))
__GPUVERIFY_NV(unsigned, umul24, (unsigned, unsigned))
__GPUVERIFY_NV(int, mulhi, (int, int))
__GPUVERIFY_NV(unsigned, umulhi, (unsigned, unsigned))
__GPUVERIFY_NV(long long, mul64hi, (long long, long long))
__GPUVERIFY_NV(unsigned long long, umul64hi,
               (unsigned long long, unsigned long long))
__GPUVERIFY_NV(unsigned, sad, (int, int, unsigned))
__GPUVERIFY_NV(unsigned, usad, (unsigned, unsigned, unsigned))
__GPUVERIFY_NV(float, saturatef, (float))

__GPUVERIFY_NV(long long, double_as_longlong, (double))
__GPUVERIFY_NV(double, longlong_as_double, (long long))
__GPUVERIFY_NV(int, float_as_int, (float))
__GPUVERIFY_NV(unsigned, float_as_uint, (float))
__GPUVERIFY_NV(float, int_as_float, (int))
__GPUVERIFY_NV(float, uint_as_float, (unsigned))
__GPUVERIFY_NV(int, double2hiint, (double))
__GPUVERIFY_NV(int, double2loint, (double))
__GPUVERIFY_NV(double, hiloint2double, (int, int))
__GPUVERIFY_NV(double, int2double_rn, (int))
__GPUVERIFY_NV(double, uint2double_rn, (unsigned))
__GPUVERIFY_NV(float, frsqrt_rn, (float))
__GPUVERIFY_NV_ROUNDED(int, double2int, (double))
__GPUVERIFY_NV_ROUNDED(unsigned, double2uint, (double))
__GPUVERIFY_NV_ROUNDED(long long, double2ll, (double))
__GPUVERIFY_NV_ROUNDED(double, ll2double, (long long))
__GPUVERIFY_NV_ROUNDED(unsigned long long, double2ull, (double))
__GPUVERIFY_NV_ROUNDED(double, ull2double, (unsigned long long))
__GPUVERIFY_NV_ROUNDED(int, float2int, (float))
__GPUVERIFY_NV_ROUNDED(float, int2float, (int))
__GPUVERIFY_NV_ROUNDED(unsigned, float2uint, (float))
__GPUVERIFY_NV_ROUNDED(float, uint2float, (unsigned))
__GPUVERIFY_NV_ROUNDED(long long, float2ll, (float))
__GPUVERIFY_NV_ROUNDED(float, ll2float, (long long))
__GPUVERIFY_NV_ROUNDED(unsigned long long, float2ull, (float))
__GPUVERIFY_NV_ROUNDED(float, ull2float, (unsigned long long))
__GPUVERIFY_NV_ROUNDED(float, double2float, (double))

__GPUVERIFY_NV_ROUNDED(double, dadd, (double, double))
__GPUVERIFY_NV_ROUNDED(double, ddiv, (double, double))
__GPUVERIFY_NV_ROUNDED(double, dmul, (double, double))
__GPUVERIFY_NV_ROUNDED(double, dsub, (double, double))
__GPUVERIFY_NV_ROUNDED(double, drcp, (double))
__GPUVERIFY_NV_ROUNDED(double, dsqrt, (double))
__GPUVERIFY_NV_ROUNDED(float, fadd, (float, float))
__GPUVERIFY_NV_ROUNDED(float, fdiv, (float, float))
__GPUVERIFY_NV_ROUNDED(float, fmul, (float, float))
__GPUVERIFY_NV_ROUNDED(float, fsub, (float, float))
__GPUVERIFY_NV_ROUNDED(float, frcp, (float))
__GPUVERIFY_NV_ROUNDED(float, fsqrt, (float))
__GPUVERIFY_NV_ROUNDED(double, fma, (double, double, double))
__GPUVERIFY_NV_ROUNDED(float, fmaf, (float, float, float))
__GPUVERIFY_NV_ROUNDED(float, fmaf_ieee, (float, float, float))

__GPUVERIFY_NV_FAST(cosf, (float))
__GPUVERIFY_NV_FAST(exp10f, (float))
__GPUVERIFY_NV_FAST(expf, (float))
__GPUVERIFY_NV_FAST(fdividef, (float, float))
__GPUVERIFY_NV_FAST(log10f, (float))
__GPUVERIFY_NV_FAST(log2f, (float))
__GPUVERIFY_NV_FAST(logf, (float))
__GPUVERIFY_NV_FAST(powf, (float, float))
__GPUVERIFY_NV_FAST(sinf, (float))
__GPUVERIFY_NV_FAST(tanf, (float))
__GPUVERIFY_LIBDEVICE(void, __sincosf, (float, float *, float *), fast_sincosf)

__GPUVERIFY_LIBDEVICE(int, __finite, (double), isfinited)
__GPUVERIFY_LIBDEVICE(int, __isinf, (double), isinfd)
__GPUVERIFY_LIBDEVICE(int, __isnan, (double), isnand)
__GPUVERIFY_NV(int, finitef, (float))
__GPUVERIFY_NV(int, isfinited, (double))
__GPUVERIFY_NV(int, isinff, (float))
__GPUVERIFY_NV(int, isnanf, (float))
__GPUVERIFY_NV(int, signbitd, (double))
__GPUVERIFY_NV(int, signbitf, (float))

// Two halves or four bytes of a word.
#define __GPUVERIFY_NV_WORD(name)                                              \
  __GPUVERIFY_NV(unsigned, name##2, (unsigned))                                \
  __GPUVERIFY_NV(unsigned, name##4, (unsigned))
#define __GPUVERIFY_NV_WORDS(name)                                             \
  __GPUVERIFY_NV(unsigned, name##2, (unsigned, unsigned))                      \
  __GPUVERIFY_NV(unsigned, name##4, (unsigned, unsigned))
__GPUVERIFY_NV_WORD(vabs)
__GPUVERIFY_NV_WORD(vabsss)
__GPUVERIFY_NV_WORD(vneg)
__GPUVERIFY_NV_WORD(vnegss)
__GPUVERIFY_NV_WORDS(vabsdiffs)
__GPUVERIFY_NV_WORDS(vabsdiffu)
__GPUVERIFY_NV_WORDS(vadd)
__GPUVERIFY_NV_WORDS(vaddss)
__GPUVERIFY_NV_WORDS(vaddus)
__GPUVERIFY_NV_WORDS(vavgs)
__GPUVERIFY_NV_WORDS(vavgu)
__GPUVERIFY_NV_WORDS(vcmpeq)
__GPUVERIFY_NV_WORDS(vcmpges)
__GPUVERIFY_NV_WORDS(vcmpgeu)
__GPUVERIFY_NV_WORDS(vcmpgts)
__GPUVERIFY_NV_WORDS(vcmpgtu)
__GPUVERIFY_NV_WORDS(vcmples)
__GPUVERIFY_NV_WORDS(vcmpleu)
__GPUVERIFY_NV_WORDS(vcmplts)
__GPUVERIFY_NV_WORDS(vcmpltu)
__GPUVERIFY_NV_WORDS(vcmpne)
__GPUVERIFY_NV_WORDS(vhaddu)
__GPUVERIFY_NV_WORDS(vmaxs)
__GPUVERIFY_NV_WORDS(vmaxu)
__GPUVERIFY_NV_WORDS(vmins)
__GPUVERIFY_NV_WORDS(vminu)
__GPUVERIFY_NV_WORDS(vsads)
__GPUVERIFY_NV_WORDS(vsadu)
__GPUVERIFY_NV_WORDS(vseteq)
__GPUVERIFY_NV_WORDS(vsetges)
__GPUVERIFY_NV_WORDS(vsetgeu)
__GPUVERIFY_NV_WORDS(vsetgts)
__GPUVERIFY_NV_WORDS(vsetgtu)
__GPUVERIFY_NV_WORDS(vsetles)
__GPUVERIFY_NV_WORDS(vsetleu)
__GPUVERIFY_NV_WORDS(vsetlts)
__GPUVERIFY_NV_WORDS(vsetltu)
__GPUVERIFY_NV_WORDS(vsetne)
__GPUVERIFY_NV_WORDS(vsub)
__GPUVERIFY_NV_WORDS(vsubss)
__GPUVERIFY_NV_WORDS(vsubus)

typedef unsigned long long __gpuverify_u64;
__GPUVERIFY_DEVICE_INLINE unsigned __funnelshift_l(unsigned low, unsigned high,
                                                   unsigned shift) {
  return ((__gpuverify_u64)high << 32 | low) << (shift & 31) >> 32;
}
__GPUVERIFY_DEVICE_INLINE unsigned __funnelshift_r(unsigned low, unsigned high,
                                                   unsigned shift) {
  return (unsigned)(((__gpuverify_u64)high << 32 | low) >> (shift & 31));
}
__GPUVERIFY_DEVICE_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high,
                                                    unsigned shift) {
  return ((__gpuverify_u64)high << 32 | low) << (shift < 32 ? shift : 32) >> 32;
}
__GPUVERIFY_DEVICE_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high,
                                                    unsigned shift) {
  return (unsigned)(((__gpuverify_u64)high << 32 | low) >>
                    (shift < 32 ? shift : 32));
}

#endif
