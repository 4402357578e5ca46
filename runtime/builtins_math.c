// The device's library of mathematics: what libdevice.def has.
//
// A function with a direction of rounding is computed in that direction by the
// host; its operands are volatile, so that nothing is computed before or after.
// A float that is too large for an integer becomes the nearest that there is;
// what is no number becomes zero if both have 32 bits, else the highest bit.

#define _GNU_SOURCE

#include "runtime/machine.h"

#include <fenv.h>
#include <math.h>
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
static float saturate(float x) { return isnan(x) ? 0 : fminf(fmaxf(x, 0), 1); }

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

static uint64_t words_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static uint32_t high_word(double x) { return (uint32_t)(words_of(x) >> 32); }
static uint32_t low_word(double x) { return (uint32_t)words_of(x); }
static double double_of_words(uint32_t high, uint32_t low) {
  uint64_t bits = (uint64_t)high << 32 | low;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
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
static uint32_t add_distance(int32_t a, int32_t b, uint32_t sum) {
  int64_t distance = (int64_t)a - b;
  return sum + (uint32_t)(distance < 0 ? -distance : distance);
}
static uint32_t add_distance_unsigned(uint32_t a, uint32_t b, uint32_t sum) {
  return sum + (a > b ? a - b : b - a);
}
static int64_t high_product(int64_t a, int64_t b) {
  return (int64_t)((__extension__(__int128) a * b) >> 64);
}
static uint64_t high_product_unsigned(uint64_t a, uint64_t b) {
  return (uint64_t)((__extension__(unsigned __int128) a * b) >> 64);
}

// ---------------------------------------------------------------- rounding ---

#define ONE_MODE(name, mode, to, parameters, operands, expression)             \
  static to name parameters {                                                  \
    int before = fegetround();                                                 \
    fesetround(mode);                                                          \
    operands;                                                                  \
    volatile to result = (to)(expression);                                     \
    fesetround(before);                                                        \
    return result;                                                             \
  }
#define FOUR_MODES(name, to, parameters, operands, expression)                 \
  ONE_MODE(name##_rn, FE_TONEAREST, to, parameters, operands, expression)      \
  ONE_MODE(name##_rz, FE_TOWARDZERO, to, parameters, operands, expression)     \
  ONE_MODE(name##_rd, FE_DOWNWARD, to, parameters, operands, expression)       \
  ONE_MODE(name##_ru, FE_UPWARD, to, parameters, operands, expression)

#define NAN_AS(to) ((to)((uint64_t)1 << (8 * sizeof(to) - 1)))
#define ONE_DIRECTION(name, direction, from, to, least, most)                  \
  static to name(from x) {                                                     \
    from whole = (from)direction((double)x);                                   \
    if (isnan(x))                                                              \
      return sizeof(from) + sizeof(to) == 8 ? 0 : NAN_AS(to);                  \
    if (whole >= (from)(most))                                                 \
      return most;                                                             \
    return whole <= (from)(least) ? (to)(least) : (to)whole;                   \
  }

#define HOST(name, function)
#define OUTPUT(name, function)
#define UNARY(name, type, expression)                                          \
  FOUR_MODES(name, type, (type a), volatile type x = a, expression)
#define BINARY(name, type, expression)                                         \
  FOUR_MODES(name, type, (type a, type b), volatile type x = a;                \
             volatile type y = b, expression)
#define TERNARY(name, type, expression)                                        \
  FOUR_MODES(name, type, (type a, type b, type c), volatile type x = a;        \
             volatile type y = b; volatile type z = c, expression)
#define CONVERT(name, from, to)                                                \
  FOUR_MODES(name, to, (from a), volatile from x = a, x)
#define ROUND(name, from, to, least, most)                                     \
  ONE_DIRECTION(name##_rn, rint, from, to, least, most)                        \
  ONE_DIRECTION(name##_rz, trunc, from, to, least, most)                       \
  ONE_DIRECTION(name##_rd, floor, from, to, least, most)                       \
  ONE_DIRECTION(name##_ru, ceil, from, to, least, most)
#include "runtime/libdevice.def"
#undef HOST
#undef OUTPUT
#undef UNARY
#undef BINARY
#undef TERNARY
#undef CONVERT
#undef ROUND

// ------------------------------------------------------------------- table ---

#define ROW(name, how, function)                                               \
  {"__nv_" #name, how, (HostFunction)(function), ORIGIN_SELF, 0},
#define FOUR_ROWS(name)                                                        \
  ROW(name##_rn, HOW_PURE, name##_rn)                                          \
  ROW(name##_rz, HOW_PURE, name##_rz)                                          \
  ROW(name##_rd, HOW_PURE, name##_rd)                                          \
  ROW(name##_ru, HOW_PURE, name##_ru)

static const Builtin rows[] = {
#define HOST(name, function) ROW(name, HOW_PURE, function)
#define OUTPUT(name, function) ROW(name, HOW_CALL, function)
#define UNARY(name, type, expression) FOUR_ROWS(name)
#define BINARY(name, type, expression) FOUR_ROWS(name)
#define TERNARY(name, type, expression) FOUR_ROWS(name)
#define CONVERT(name, from, to) FOUR_ROWS(name)
#define ROUND(name, from, to, least, most) FOUR_ROWS(name)
#include "runtime/libdevice.def"
};

const Builtin *builtin_of_library(const char *name) {
  if (strncmp(name, "__nv_", 5) != 0)
    return NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].name, name))
      return &rows[i];
  return NULL;
}
