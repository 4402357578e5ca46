// CUDA's library of mathematics, and OpenCL's, on this machine.
//
// A function that has an operation and none here is the intrinsic that the
// operation is.

#define _GNU_SOURCE

#include "ptx/numbers.h"
#include "runtime/machine/machine.h"
#include "llvm/libdevice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------- functions ---

static float rsqrt_float(float a) { return 1 / sqrtf(a); }
static double rsqrt_double(double a) { return 1 / sqrt(a); }
static float divide_float(float a, float b) { return a / b; }
// Out of range: the nearest number that there is, as on the device.
static int32_t clamped(float a) {
  if (isnan(a))
    return 0;
  if (a >= 2147483648.0f)
    return INT32_MAX;
  return a < -2147483648.0f ? INT32_MIN : (int32_t)a;
}
static int32_t float_to_int(float a) { return clamped(truncf(a)); }
static int32_t float_to_nearest(float a) { return clamped(rintf(a)); }
static int is_nan_float(float a) { return isnan(a) != 0; }
static int is_infinite_float(float a) { return isinf(a) != 0; }

static float float_of_half(uint16_t bits) { return (float)half_value(bits); }
static uint16_t half_of_float(float x) { return half_rounded(x); }

// Of x times pi: exact where that is 0, 1 or -1.
static double sine_of_turn(double x) {
  double rest = remainder(x, 2), far = fabs(rest);
  if (rest == trunc(rest))
    return copysign(0, x);
  return far > 0.5 ? copysign(sin(M_PI * (1 - far)), rest) : sin(M_PI * rest);
}
static double cosine_of_turn(double x) {
  double far = fabs(remainder(x, 2));
  return far == 0.5 ? 0 : far > 0.5 ? -cos(M_PI * (1 - far)) : cos(M_PI * far);
}
static float sine_of_turn_float(float x) { return (float)sine_of_turn(x); }
static float cosine_of_turn_float(float x) { return (float)cosine_of_turn(x); }

static double normal(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
static float normal_float(float x) { return (float)normal(x); }

// exp(x * x) * erfc(x), by its continued fraction where that overflows.
static double scaled_erfc(double x) {
  const double large = 25, root_of_pi = 1.7724538509055160273;
  double below = x;
  if (x < large)
    return exp(x * x) * erfc(x);
  for (int n = 30; n > 0; n--)
    below = x + n / 2.0 / below;
  return 1 / (below * root_of_pi);
}
static float scaled_erfc_float(float x) { return (float)scaled_erfc(x); }

static double cube_root_below_one(double x) { return 1 / cbrt(x); }
static float cube_root_below_one_float(float x) { return (float)(1 / cbrt(x)); }
static double hypotenuse_below_one(double x, double y) {
  return 1 / hypot(x, y);
}
static float hypotenuse_below_one_float(float x, float y) {
  return (float)(1 / hypot(x, y));
}
static double norm_of_3(double x, double y, double z) {
  return hypot(hypot(x, y), z);
}
static float norm_of_3_float(float x, float y, float z) {
  return (float)norm_of_3(x, y, z);
}
static double norm_of_4(double x, double y, double z, double w) {
  return hypot(norm_of_3(x, y, z), w);
}
static float norm_of_4_float(float x, float y, float z, float w) {
  return (float)norm_of_4(x, y, z, w);
}
static double norm_of_3_below_one(double x, double y, double z) {
  return 1 / norm_of_3(x, y, z);
}
static float norm_of_3_below_one_float(float x, float y, float z) {
  return (float)(1 / norm_of_3(x, y, z));
}
static double norm_of_4_below_one(double x, double y, double z, double w) {
  return 1 / norm_of_4(x, y, z, w);
}
static float norm_of_4_below_one_float(float x, float y, float z, float w) {
  return (float)(1 / norm_of_4(x, y, z, w));
}
static double power(double x, int n) { return pow(x, n); }
static float power_float(float x, int n) { return powf(x, (float)n); }
static float root_below_one(float x) { return (float)(1 / sqrt(x)); }
static float saturate(float x) { return isnan(x) ? 0 : fminf(fmaxf(x, 0), 1); }

// What is too large gives the largest number there is.
static int64_t nearest_long(double x) {
  return ptx_signed_of_double(x, DIRECTION_NEAREST, 64, INT64_MIN);
}
static int64_t nearest_long_float(float x) { return nearest_long(x); }
static int64_t rounded_long(double x) { return nearest_long(round(x)); }
static int64_t rounded_long_float(float x) { return rounded_long(x); }

static int is_finite_float(float x) { return isfinite(x) != 0; }
static int is_finite(double x) { return isfinite(x) != 0; }
static int is_infinite(double x) { return isinf(x) != 0; }
static int is_nan(double x) { return isnan(x) != 0; }
static int sign_of_float(float x) { return signbit(x) != 0; }
static int sign_of(double x) { return signbit(x) != 0; }

static void sine_and_cosine(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}
static void sine_and_cosine_float(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
static void of_turn(double x, double *sine, double *cosine) {
  *sine = sine_of_turn(x);
  *cosine = cosine_of_turn(x);
}
static void of_turn_float(float x, float *sine, float *cosine) {
  *sine = sine_of_turn_float(x);
  *cosine = cosine_of_turn_float(x);
}

// ------------------------------------------------------------------- bits ---

static uint32_t bits_of_float(float a) {
  uint32_t bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}
static float float_of_bits(uint32_t bits) {
  float a;
  memcpy(&a, &bits, sizeof a);
  return a;
}
static uint64_t bits_of_double(double a) {
  uint64_t bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}
static double double_of_bits(uint64_t bits) {
  double a;
  memcpy(&a, &bits, sizeof a);
  return a;
}

// ---------------------------------------------------------------- integers ---

static int32_t max_int(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t min_int(int32_t a, int32_t b) { return a < b ? a : b; }
static uint32_t max_unsigned(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t min_unsigned(uint32_t a, uint32_t b) { return a < b ? a : b; }
static int64_t max_long(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t min_long(int64_t a, int64_t b) { return a < b ? a : b; }
static uint64_t max_unsigned_long(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}
static uint64_t min_unsigned_long(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}
static uint32_t abs_int(uint32_t a) { return (int32_t)a < 0 ? 0 - a : a; }
static uint64_t abs_long(uint64_t a) { return (int64_t)a < 0 ? 0 - a : a; }
static uint32_t multiply_unsigned_24(uint32_t a, uint32_t b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
static int32_t multiply_24(uint32_t a, uint32_t b) {
  int64_t x = (int32_t)(a << 8) >> 8, y = (int32_t)(b << 8) >> 8;
  return (int32_t)(uint32_t)(x * y);
}
static int count_bits(uint32_t a) { return __builtin_popcount(a); }
static int count_bits_long(uint64_t a) { return __builtin_popcountll(a); }
static int leading_zeros(uint32_t a) { return a ? __builtin_clz(a) : 32; }
static int leading_zeros_long(uint64_t a) {
  return a ? __builtin_clzll(a) : 64;
}
static int first_set(uint32_t a) { return a ? __builtin_ctz(a) + 1 : 0; }
static int first_set_long(uint64_t a) { return a ? __builtin_ctzll(a) + 1 : 0; }
static uint32_t reverse_bits(uint32_t a) {
  uint32_t reversed = 0;
  for (int i = 0; i < 32; i++)
    reversed |= (a >> i & 1) << (31 - i);
  return reversed;
}
static uint64_t reverse_bits_long(uint64_t a) {
  return (uint64_t)reverse_bits((uint32_t)a) << 32 |
         reverse_bits((uint32_t)(a >> 32));
}

static int32_t average(int32_t a, int32_t b) {
  return (int32_t)(((int64_t)a + b) >> 1);
}
static int32_t average_up(int32_t a, int32_t b) {
  return (int32_t)(((int64_t)a + b + 1) >> 1);
}
static uint32_t average_unsigned(uint32_t a, uint32_t b) {
  return (uint32_t)(((uint64_t)a + b) >> 1);
}
static uint32_t average_up_unsigned(uint32_t a, uint32_t b) {
  return (uint32_t)(((uint64_t)a + b + 1) >> 1);
}

// ------------------------------------------------------------------- table ---

static const Builtin rows[] = {
#define LIBRARY(name, types, meaning, operation, host)                         \
  {"__nv_" #name, HOW_PURE, (HostFunction)(host), ORIGIN_SELF, 0},
#define OUTPUT(name, types, host)                                              \
  {"__nv_" #name, HOW_CALL, (HostFunction)(host), ORIGIN_SELF, 0},
#include "llvm/libdevice.def"
};

#define OPENCL(name, function)                                                 \
  {name, HOW_PURE, (HostFunction)(function), ORIGIN_SELF, 0}
static const Builtin of_opencl[] = {
    OPENCL("_Z3minii", min_int),
    OPENCL("_Z3maxii", max_int),
    OPENCL("_Z3minjj", min_unsigned),
    OPENCL("_Z3maxjj", max_unsigned),
    OPENCL("_Z3minmm", min_unsigned_long),
    OPENCL("_Z3maxmm", max_unsigned_long),
    OPENCL("_Z3madfff", fmaf),
    OPENCL("_Z3fmafff", fmaf),
    OPENCL("_Z4sqrtf", sqrtf),
    OPENCL("_Z5rsqrtf", rsqrt_float),
    OPENCL("_Z4fabsf", fabsf),
    OPENCL("_Z4fmaxff", fmaxf),
    OPENCL("_Z4fminff", fminf),
    OPENCL("_Z3expf", expf),
    OPENCL("_Z3logf", logf),
    OPENCL("_Z3sinf", sinf),
    OPENCL("_Z3cosf", cosf),
    OPENCL("_Z3powff", powf),
};

const Builtin *builtin_of_library(const char *name) {
  const LibraryFunction *function = library_find(name);
  const Builtin *row = function ? &rows[library_number(function)] : NULL;
  for (size_t i = 0; i < sizeof of_opencl / sizeof *of_opencl; i++)
    if (!strcmp(of_opencl[i].name, name))
      return &of_opencl[i];
  if (!function || row->function)
    return row;
  return function->operation ? builtin_of_numbers(function->operation) : NULL;
}
