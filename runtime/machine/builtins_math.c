// The device's library of mathematics: what libdevice.def has.
//
// A function with a direction of rounding is the intrinsic that computes it.

#define _GNU_SOURCE

#include "ptx/numbers.h"
#include "runtime/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------- functions ---

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

// ---------------------------------------------------------------- integers ---

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

// In one of four directions: an intrinsic of builtins_float.c.
typedef struct Directed {
  const char *name, *operation, *type;
} Directed;

#define HOST(name, function)                                                   \
  {"__nv_" #name, HOW_PURE, (HostFunction)(function), ORIGIN_SELF, 0},
#define OUTPUT(name, function)                                                 \
  {"__nv_" #name, HOW_CALL, (HostFunction)(function), ORIGIN_SELF, 0},
#define DIRECTED(name, operation, type)
static const Builtin rows[] = {
#include "runtime/machine/libdevice.def"
};
#undef HOST
#undef OUTPUT
#undef DIRECTED
#define HOST(name, function)
#define OUTPUT(name, function)
#define DIRECTED(name, operation, type) {"__nv_" #name "_r", operation, type},
static const Directed directed[] = {
#include "runtime/machine/libdevice.def"
};

// CUDA says down and up where PTX says minus and plus infinity.
static const Builtin *in_direction(const char *name) {
  static const char letters[] = "nzdu", of_ptx[] = "nzmp";
  for (size_t i = 0; i < sizeof directed / sizeof *directed; i++) {
    size_t length = strlen(directed[i].name);
    const char *letter = name + length;
    if (strncmp(name, directed[i].name, length) != 0 || !*letter || letter[1] ||
        !strchr(letters, *letter))
      continue;
    char intrinsic[48];
    snprintf(intrinsic, sizeof intrinsic, "llvm.nvvm.%s.r%c%s",
             directed[i].operation, of_ptx[strchr(letters, *letter) - letters],
             directed[i].type);
    return builtin_of_numbers(intrinsic);
  }
  return NULL;
}

const Builtin *builtin_of_library(const char *name) {
  if (strncmp(name, "__nv_", 5) != 0)
    return NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].name, name))
      return &rows[i];
  return in_direction(name);
}
