// What conversions give: exactly, then rounded once.

#include "test/ptx/forms.h"

#include <string.h>

static Mode mode_of(const Form *form) {
  static const char *const words[][2] = {
      {"rn", "rni"}, {"rz", "rzi"}, {"rm", "rmi"}, {"rp", "rpi"}};
  for (unsigned i = 0; i < 4; i++)
    if (has(form, words[i][0]) || has(form, words[i][1]))
      return (Mode)i;
  return MODE_NEAREST;
}

static bool is_integral(const Form *form) {
  return has(form, "rni") || has(form, "rzi") || has(form, "rmi") ||
         has(form, "rpi");
}

static Wide least_of(Type type) {
  return type.kind == 's' ? -((Wide)1 << (type.bits - 1)) : 0;
}

static Wide most_of(Type type) {
  return ((Wide)1 << (type.bits - (type.kind == 's'))) - 1;
}

static uint64_t to_integer(const Form *form, Real value) {
  Type to = form->to;
  bool is_long = to.bits == 64 || form->type.bits == 64;
  if (value.class == NOT_A_NUMBER)
    return is_long ? UINT64_C(1) << (to.bits - 1) : 0;
  value = integral_of(value, mode_of(form));
  bool is_far = value.class == INFINITE || value.exponent > 70;
  if (value.class == FINITE && !value.whole)
    return 0;
  Wide number = is_far
                    ? (Wide)1 << 100
                    : (Wide)(value.exponent > 0 ? value.whole << value.exponent
                                                : value.whole);
  number = value.is_negative ? -number : number;
  return cut(clamped(number, least_of(to), most_of(to)), to.bits);
}

static Real saturated(const Form *form, Real value) {
  static const Real zero = {.class = FINITE}, one = {.whole = 1};
  static const Type wide = {'f', 64, 1};
  bool is_nan = value.class == NOT_A_NUMBER;
  if (has(form, "relu"))
    return !is_nan && value.is_negative ? zero : value;
  if (!has(form, "sat"))
    return value;
  if (is_nan || value.is_negative)
    return zero;
  bool is_more = value.class == INFINITE ||
                 bits_of(wide, value, MODE_ZERO) >= UINT64_C(0x3ff) << 52;
  return is_more ? one : value;
}

static uint64_t to_float(const Form *form, Type to, Real value) {
  if (is_integral(form))
    value = integral_of(value, mode_of(form));
  uint64_t bits = bits_of(to, saturated(form, value), mode_of(form));
  return has(form, "ftz") && to.bits == 32 ? without_subnormal(to, bits) : bits;
}

static uint64_t converted(const Form *form, uint64_t bits) {
  Type from = form->type, to = form->to;
  Wide number = number_of(from, bits);
  if (!is_float(from) && !is_float(to))
    return cut(has(form, "sat") ? clamped(number, least_of(to), most_of(to))
                                : number,
               to.bits);
  bits = cut((Wide)bits, from.bits);
  if (has(form, "ftz") && from.kind == 'f' && from.bits == 32)
    bits = without_subnormal(from, bits);
  Real value = is_float(from) ? real_of(from, bits) : real_of_integer(number);
  to.lanes = 1;
  return is_float(to) ? to_float(form, to, value) : to_integer(form, value);
}

// A float with 10 bits behind the first; ties away from zero with .rna.
static uint64_t to_tf32(const Form *form, uint64_t bits) {
  enum { LOST = 13, HALF = 1 << (LOST - 1) };
  uint64_t kept = bits >> LOST, rest = bits % (1 << LOST);
  if ((bits & INT32_MAX) >= 0x7f800000)
    return kept << LOST;
  bool is_up = rest > HALF || (rest == HALF && (has(form, "rna") || kept & 1));
  return (kept + (is_up && !has(form, "rz"))) << LOST;
}

static uint64_t packed(const Form *form, const uint64_t *in) {
  static const char *const words[] = {"u8", "s8", "u16", "s16"};
  static const Type types[] = {
      {'u', 8, 1}, {'s', 8, 1}, {'u', 16, 1}, {'s', 16, 1}};
  Type to = types[0], from = {'s', 32, 1};
  for (unsigned i = 0; i < 4; i++)
    if (has(form, words[i]))
      to = types[i];
  uint64_t high =
      cut(clamped(number_of(from, in[0]), least_of(to), most_of(to)), to.bits);
  uint64_t low =
      cut(clamped(number_of(from, in[1]), least_of(to), most_of(to)), to.bits);
  uint64_t above = to.bits == 8 ? in[2] << 16 : 0;
  return (uint32_t)(above | high << to.bits | low);
}

// In a register the result is as wide as the register, by its sign.
static uint64_t in_register(const Form *form, uint64_t bits) {
  if (form->to.bits > 8 || is_float(form->to))
    return bits;
  return cut(number_of(form->to, bits), 32);
}

bool reference_of_conversions(const Form *form, const uint64_t *in,
                              Result *result) {
  if (strcmp(form->words[0], "cvt") != 0)
    return false;
  if (has(form, "pack"))
    result->value = packed(form, in);
  else if (has(form, "tf32")) {
    result->value = to_tf32(form, in[0]);
    result->is_any_nan = true;
  } else if (form->sources == 2)
    result->value = converted(form, in[0]) << 16 | converted(form, in[1]);
  else
    result->value = in_register(form, converted(form, in[0]));
  result->is_any_nan |= is_float(form->to) && form->to.bits == 64;
  return true;
}
