// LLVM's NVVM intrinsics for numbers: what the functions of libdevice are made
// of, and what clang's headers call.
//
// Where PTX asks for a rounding, the host's unit is told to round so; where it
// allows an approximation, we are exact.  Conversions to integers go to the
// nearest that there is, and of NaN to what the PTX manual says of cvt.  ".ftz"
// makes zeros of subnormal numbers, before and after.

#define _GNU_SOURCE

#include "ptx/numbers.h"
#include "runtime/machine/machine.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static float flush(float a) {
  return fpclassify(a) == FP_SUBNORMAL ? copysignf(0, a) : a;
}

// -------------------------------------------------------------- rounding ---

// One function for each rounding, `type name_rn(parameters)` and so on.  The
// operands are volatile, so that nothing is computed before the unit is told.
#define ROUNDED(type, name, mode, suffix, parameters, operands, value)         \
  static type name##_##suffix parameters {                                     \
    operands;                                                                  \
    int before = fegetround();                                                 \
    fesetround(mode);                                                          \
    volatile type result = (value);                                            \
    fesetround(before);                                                        \
    return result;                                                             \
  }
#define LIST(...) __VA_ARGS__
#define ROUNDINGS(type, name, parameters, operands, value)                     \
  ROUNDED(type, name, FE_TONEAREST, rn, parameters, LIST(operands), value)     \
  ROUNDED(type, name, FE_TOWARDZERO, rz, parameters, LIST(operands), value)    \
  ROUNDED(type, name, FE_DOWNWARD, rm, parameters, LIST(operands), value)      \
  ROUNDED(type, name, FE_UPWARD, rp, parameters, LIST(operands), value)

#define ARITHMETIC(type, name, fused, root)                                    \
  ROUNDINGS(type, add_##name, (type a, type b),                                \
            LIST(volatile type x = a, y = b), x + y)                           \
  ROUNDINGS(type, sub_##name, (type a, type b),                                \
            LIST(volatile type x = a, y = b), x - y)                           \
  ROUNDINGS(type, mul_##name, (type a, type b),                                \
            LIST(volatile type x = a, y = b), x *y)                            \
  ROUNDINGS(type, div_##name, (type a, type b),                                \
            LIST(volatile type x = a, y = b), x / y)                           \
  ROUNDINGS(type, fma_##name, (type a, type b, type c),                        \
            LIST(volatile type x = a, y = b, z = c), fused(x, y, z))           \
  ROUNDINGS(type, rcp_##name, (type a), volatile type x = a, 1 / x)            \
  ROUNDINGS(type, sqrt_##name, (type a), volatile type x = a, root(x))

ARITHMETIC(float, f, fmaf, sqrtf)
ARITHMETIC(double, d, fma, sqrt)

ROUNDINGS(float, d2f, (double a), volatile double x = a, (float)x)
ROUNDINGS(float, i2f, (int32_t a), volatile int32_t x = a, (float)x)
ROUNDINGS(float, ui2f, (uint32_t a), volatile uint32_t x = a, (float)x)
ROUNDINGS(float, ll2f, (int64_t a), volatile int64_t x = a, (float)x)
ROUNDINGS(float, ull2f, (uint64_t a), volatile uint64_t x = a, (float)x)
ROUNDINGS(double, ll2d, (int64_t a), volatile int64_t x = a, (double)x)
ROUNDINGS(double, ull2d, (uint64_t a), volatile uint64_t x = a, (double)x)

// With ".ftz": the same between two flushes.
#define FLUSHED(name, suffix)                                                  \
  static float name##_##suffix##_ftz(float a) {                                \
    return flush(name##_##suffix(flush(a)));                                   \
  }
#define FLUSHED_2(name, suffix)                                                \
  static float name##_##suffix##_ftz(float a, float b) {                       \
    return flush(name##_##suffix(flush(a), flush(b)));                         \
  }
#define FLUSHED_3(name, suffix)                                                \
  static float name##_##suffix##_ftz(float a, float b, float c) {              \
    return flush(name##_##suffix(flush(a), flush(b), flush(c)));               \
  }
#define FOUR(what, name)                                                       \
  what(name, rn) what(name, rz) what(name, rm) what(name, rp)

FOUR(FLUSHED_2, add_f)
FOUR(FLUSHED_2, mul_f)
FOUR(FLUSHED_2, div_f)
FOUR(FLUSHED_3, fma_f)
FOUR(FLUSHED, rcp_f)
FOUR(FLUSHED, sqrt_f)

#define FLUSHED_RESULT(name, suffix)                                           \
  static float name##_##suffix##_ftz(double a) {                               \
    return flush(name##_##suffix(a));                                          \
  }
FOUR(FLUSHED_RESULT, d2f)

// ----------------------------------------------------------- conversions ---

static double nearest(double a) { return rint(a); }

static int64_t to_signed(double a, int bits, int64_t of_nan) {
  double limit = ldexp(1, bits - 1);
  int64_t highest = (int64_t)((UINT64_C(1) << (bits - 1)) - 1);
  if (isnan(a))
    return of_nan;
  if (a >= limit)
    return highest;
  return a < -limit ? -highest - 1 : (int64_t)a;
}

static uint64_t to_unsigned(double a, int bits, uint64_t of_nan) {
  uint64_t highest = UINT64_MAX >> (64 - bits);
  if (isnan(a))
    return of_nan;
  if (a >= ldexp(1, bits))
    return highest;
  return a < 0 ? 0 : (uint64_t)a;
}

// The manual: of NaN becomes 0, where neither side has 64 bits; else the
// highest bit alone.
#define TO_INTEGERS(suffix, round)                                             \
  static int32_t f2i_##suffix(float a) {                                       \
    return (int32_t)to_signed(round((double)a), 32, 0);                        \
  }                                                                            \
  static uint32_t f2ui_##suffix(float a) {                                     \
    return (uint32_t)to_unsigned(round((double)a), 32, 0);                     \
  }                                                                            \
  static int64_t f2ll_##suffix(float a) {                                      \
    return to_signed(round((double)a), 64, INT64_MIN);                         \
  }                                                                            \
  static uint64_t f2ull_##suffix(float a) {                                    \
    return to_unsigned(round((double)a), 64, UINT64_C(1) << 63);               \
  }                                                                            \
  static int32_t d2i_##suffix(double a) {                                      \
    return (int32_t)to_signed(round(a), 32, INT32_MIN);                        \
  }                                                                            \
  static uint32_t d2ui_##suffix(double a) {                                    \
    return (uint32_t)to_unsigned(round(a), 32, UINT32_C(1) << 31);             \
  }                                                                            \
  static int64_t d2ll_##suffix(double a) {                                     \
    return to_signed(round(a), 64, INT64_MIN);                                 \
  }                                                                            \
  static uint64_t d2ull_##suffix(double a) {                                   \
    return to_unsigned(round(a), 64, UINT64_C(1) << 63);                       \
  }                                                                            \
  static int32_t f2i_##suffix##_ftz(float a) {                                 \
    return f2i_##suffix(flush(a));                                             \
  }                                                                            \
  static uint32_t f2ui_##suffix##_ftz(float a) {                               \
    return f2ui_##suffix(flush(a));                                            \
  }                                                                            \
  static int64_t f2ll_##suffix##_ftz(float a) {                                \
    return f2ll_##suffix(flush(a));                                            \
  }                                                                            \
  static uint64_t f2ull_##suffix##_ftz(float a) {                              \
    return f2ull_##suffix(flush(a));                                           \
  }

TO_INTEGERS(rn, nearest)
TO_INTEGERS(rz, trunc)
TO_INTEGERS(rm, floor)
TO_INTEGERS(rp, ceil)

static double i2d(int32_t a) { return a; }
static double ui2d(uint32_t a) { return a; }

static double of_words(uint32_t low, uint32_t high) {
  return bits_double(high, low);
}

// -------------------------------------------------------- approximations ---

static float exp2_f(float a) { return exp2f(a); }
static float log2_f(float a) { return log2f(a); }
static float sin_f(float a) { return sinf(a); }
static float cos_f(float a) { return cosf(a); }
static float rsqrt_f(float a) { return 1 / sqrtf(a); }
static double rsqrt_d(double a) { return 1 / sqrt(a); }
static float tanh_f(float a) { return tanhf(a); }
static float exp2_f_ftz(float a) { return flush(exp2f(flush(a))); }
static float log2_f_ftz(float a) { return flush(log2f(flush(a))); }
static float sin_f_ftz(float a) { return flush(sinf(flush(a))); }
static float cos_f_ftz(float a) { return flush(cosf(flush(a))); }
static float rsqrt_f_ftz(float a) { return flush(rsqrt_f(flush(a))); }

// --------------------------------------------------------- simple numbers ---

static float max_f_ftz(float a, float b) {
  return ptx_greatest_float(flush(a), flush(b));
}
static float min_f_ftz(float a, float b) {
  return ptx_least_float(flush(a), flush(b));
}

static float abs_f_ftz(float a) { return fabsf(flush(a)); }
static float ceil_f_ftz(float a) { return ceilf(flush(a)); }
static float floor_f_ftz(float a) { return floorf(flush(a)); }

// Into [0, 1]; of NaN 0.
static float saturate_f(float a) { return a > 0 ? a < 1 ? a : 1 : 0; }
static float saturate_f_ftz(float a) { return saturate_f(flush(a)); }

// ----------------------------------------------------------------- table ---

static const Builtin builtins[] = {
#define ASSEMBLY(text, function)                                               \
  {text, HOW_PURE, (HostFunction)(function), ORIGIN_SELF, 0},
#define ROW(name, function) ASSEMBLY("llvm.nvvm." name, function)
#define ROW_4(name, type, function)                                            \
  ROW(name ".rn" type, function##_rn)                                          \
  ROW(name ".rz" type, function##_rz)                                          \
  ROW(name ".rm" type, function##_rm)                                          \
  ROW(name ".rp" type, function##_rp)
#define ROW_4_FTZ(name, type, function)                                        \
  ROW(name ".rn" type, function##_rn_ftz)                                      \
  ROW(name ".rz" type, function##_rz_ftz)                                      \
  ROW(name ".rm" type, function##_rm_ftz)                                      \
  ROW(name ".rp" type, function##_rp_ftz)
#include "runtime/machine/builtins_float.def"
};

const Builtin *builtin_of_numbers(const char *name) {
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (!strcmp(builtins[i].name, name))
      return &builtins[i];
  return NULL;
}
