// What arithmetic on floats gives: exactly, then rounded once.

#include "test/ptx/forms.h"

#include <math.h>
#include <string.h>

static bool is(const Form *form, const char *opcode) {
  return !strcmp(form->words[0], opcode);
}

static Mode mode_of(const Form *form) {
  return has(form, "rz")   ? MODE_ZERO
         : has(form, "rm") ? MODE_DOWN
         : has(form, "rp") ? MODE_UP
                           : MODE_NEAREST;
}

static Real negative(Real a) {
  a.is_negative = !a.is_negative;
  return a;
}

static Real extreme(const Form *form, Real a, Real b) {
  bool is_a_nan = a.class == NOT_A_NUMBER, is_b_nan = b.class == NOT_A_NUMBER;
  if (is_a_nan || is_b_nan)
    return is_a_nan == has(form, "NaN") || (is_a_nan && is_b_nan) ? a : b;
  bool is_less = order_of(a, b) < 0;
  return is_less == is(form, "min") ? a : b;
}

// Of min.NaN any NaN wins, and else any number.
static Real extreme_of(const Form *form, Real a, Real b) {
  if (has(form, "NaN") && b.class == NOT_A_NUMBER)
    return b;
  return extreme(form, a, b);
}

static Real clamped_real(const Form *form, Real a) {
  static const Real zero = {.class = FINITE};
  Real one = real_of_integer(1);
  bool is_nan = a.class == NOT_A_NUMBER;
  if (has(form, "relu"))
    return !is_nan && a.is_negative ? zero : a;
  if (!has(form, "sat"))
    return a;
  if (is_nan || a.is_negative)
    return zero;
  if (a.class == INFINITE)
    return one;
  return bits_of((Type){'f', 64, 1}, a, MODE_ZERO) >= UINT64_C(0x3ff) << 52
             ? one
             : a;
}

static bool exact(const Form *form, const Real *in, Mode mode, Real *value) {
  static const Real one = {.whole = 1};
  if (is(form, "add"))
    *value = sum_of(in[0], in[1], mode);
  else if (is(form, "sub"))
    *value = sum_of(in[0], negative(in[1]), mode);
  else if (is(form, "mul"))
    *value = product_of(in[0], in[1]);
  else if (is(form, "fma") || is(form, "mad"))
    *value = sum_of(product_of(in[0], in[1]), in[2], mode);
  else if (is(form, "div"))
    *value = quotient_of(in[0], in[1]);
  else if (is(form, "rcp"))
    *value = quotient_of(one, in[0]);
  else if (is(form, "sqrt"))
    *value = root_of(in[0]);
  else if (is(form, "min") || is(form, "max"))
    *value = extreme_of(form, in[0], in[1]);
  else
    return false;
  return true;
}

// Functions that are approximate; the check knows by how much.
static bool approximate(const Form *form, Type type, uint64_t bits,
                        uint64_t *result) {
  static const struct {
    const char *opcode;
    double (*function)(double);
  } rows[] = {{"sin", sin},  {"cos", cos},   {"lg2", log2},
              {"ex2", exp2}, {"tanh", tanh}, {"rsqrt", NULL}};
  double value;
  uint64_t image = bits_of((Type){'f', 64, 1}, real_of(type, bits), MODE_ZERO);
  memcpy(&value, &image, sizeof value);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is(form, rows[i].opcode)) {
      value = rows[i].function ? rows[i].function(value) : 1 / sqrt(value);
      memcpy(&image, &value, sizeof image);
      *result = bits_of(type, real_of((Type){'f', 64, 1}, image), MODE_NEAREST);
      return true;
    }
  return false;
}

// By the bits, NaN or not.
static bool change_sign(const Form *form, Type type, const uint64_t *in,
                        uint64_t *result) {
  uint64_t sign = UINT64_C(1) << (type.bits - 1);
  if (is(form, "neg"))
    *result = in[0] ^ sign;
  else if (is(form, "abs"))
    *result = in[0] & ~sign;
  else if (is(form, "copysign"))
    *result = (in[0] & sign) | (in[1] & ~sign);
  else
    return false;
  return true;
}

static bool compute(const Form *form, Type type, const uint64_t *in,
                    uint64_t *bits, Result *result) {
  Real numbers[MOST_SOURCES], value;
  if (change_sign(form, type, in, bits))
    return true;
  result->is_approximate = has(form, "approx") || has(form, "full");
  if (approximate(form, type, in[0], bits))
    return true;
  for (unsigned i = 0; i < form->sources; i++)
    numbers[i] = real_of(type, in[i]);
  if (!exact(form, numbers, mode_of(form), &value))
    return false;
  *bits = bits_of(type, clamped_real(form, value), mode_of(form));
  return true;
}

bool reference_of_floats(const Form *form, const uint64_t *in, Result *result) {
  Type type = form->type;
  bool flushes = has(form, "ftz") && type.bits < 64;
  if (!is_float(type))
    return false;
  for (unsigned n = 0; n < type.lanes; n++) {
    uint64_t lanes[MOST_SOURCES], bits = 0;
    for (unsigned i = 0; i < form->sources; i++) {
      lanes[i] = cut((Wide)(in[i] >> n * type.bits), type.bits);
      if (flushes)
        lanes[i] = without_subnormal(type, lanes[i]);
    }
    if (!compute(form, type, lanes, &bits, result))
      return false;
    if (flushes)
      bits = without_subnormal(type, bits);
    result->value |= bits << n * type.bits;
  }
  result->is_any_nan = type.bits == 64 || is(form, "neg") || is(form, "abs");
  return true;
}
