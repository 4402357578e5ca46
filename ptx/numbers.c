// What instructions of PTX compute that neither LLVM nor the host has: numbers
// that are rounded once, the order of zeros, words of bits.

#include "ptx/numbers.h"

#include <assert.h>
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

// ------------------------------------------------------------ round to odd ---

// A double whose last bit says whether anything was lost: what is made of it
// by rounding to at most 51 bits is rounded once.
static double with_last_bit(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits |= 1;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

double ptx_fma_odd(double a, double b, double c) {
  volatile double x = a, y = b, z = c;
  int before = fegetround();
  fesetround(FE_TOWARDZERO);
  feclearexcept(FE_INEXACT);
  volatile double result = fma(x, y, z);
  bool is_lossy = fetestexcept(FE_INEXACT);
  fesetround(before);
  return is_lossy && isfinite(result) ? with_last_bit(result) : result;
}

double ptx_odd_of_unsigned(uint64_t value) {
  enum { FRACTION = 53 };
  int excess = value ? 64 - FRACTION - __builtin_clzll(value) : 0;
  if (excess <= 0)
    return (double)value;
  uint64_t kept = value >> excess;
  double result = ldexp((double)kept, excess);
  return kept << excess == value ? result : with_last_bit(result);
}

double ptx_odd_of_signed(int64_t value) {
  return value < 0 ? -ptx_odd_of_unsigned(0 - (uint64_t)value)
                   : ptx_odd_of_unsigned((uint64_t)value);
}

// ---------------------------------------------------------------- integers ---

double ptx_integral(double value, uint32_t direction) {
  switch ((Direction)direction) {
  case DIRECTION_NEAREST:
    return rint(value);
  case DIRECTION_ZERO:
    return trunc(value);
  case DIRECTION_DOWN:
    return floor(value);
  case DIRECTION_UP:
    return ceil(value);
  }
  return value;
}

int64_t ptx_signed_of_double(double value, uint32_t direction, uint32_t bits,
                             int64_t of_nan) {
  assert(bits > 1 && bits <= 64);
  int64_t most = (int64_t)(UINT64_MAX >> (65 - bits));
  double limit = ldexp(1, (int)bits - 1);
  if (isnan(value))
    return of_nan;
  value = ptx_integral(value, direction);
  if (value >= limit)
    return most;
  return value < -limit ? -most - 1 : (int64_t)value;
}

uint64_t ptx_unsigned_of_double(double value, uint32_t direction, uint32_t bits,
                                uint64_t of_nan) {
  assert(bits > 0 && bits <= 64);
  if (isnan(value))
    return of_nan;
  value = ptx_integral(value, direction);
  if (value >= ldexp(1, (int)bits))
    return UINT64_MAX >> (64 - bits);
  return value < 0 ? 0 : (uint64_t)value;
}

// ----------------------------------------------------------- least, greatest
// ---

// Of two zeros the positive one is the larger; a NaN gives way.
double ptx_greatest(double a, double b) {
  if (isnan(a) || isnan(b))
    return isnan(a) ? b : a;
  if (a == b)
    return signbit(a) ? b : a;
  return a > b ? a : b;
}

double ptx_least(double a, double b) {
  if (isnan(a) || isnan(b))
    return isnan(a) ? b : a;
  if (a == b)
    return signbit(a) ? a : b;
  return a < b ? a : b;
}

float ptx_greatest_float(float a, float b) { return (float)ptx_greatest(a, b); }
float ptx_least_float(float a, float b) { return (float)ptx_least(a, b); }

// -------------------------------------------------------------------- bits ---

static uint32_t extended(uint32_t value, uint32_t length, bool is_signed) {
  assert(length <= 32);
  uint32_t above = length < 32 ? UINT32_MAX << length : 0;
  bool is_negative = is_signed && length && value >> (length - 1) & 1;
  return is_negative ? value | above : value & ~above;
}

uint32_t ptx_extend_clamp(uint32_t value, uint32_t length) {
  return length < 32 ? extended(value, length, true) : value;
}
uint32_t ptx_extend_wrap(uint32_t value, uint32_t length) {
  return extended(value, length & 31, true);
}
uint32_t ptx_cut_clamp(uint32_t value, uint32_t length) {
  return length < 32 ? extended(value, length, false) : value;
}
uint32_t ptx_cut_wrap(uint32_t value, uint32_t length) {
  return extended(value, length & 31, false);
}

// Four bytes of the eight; of one with the fourth bit its sign only.
uint32_t bits_permute(uint32_t low, uint32_t high, uint32_t which) {
  uint64_t bytes = (uint64_t)high << 32 | low;
  uint32_t result = 0;
  for (unsigned n = 0; n < 4; n++) {
    uint32_t chosen = which >> 4 * n & 15;
    uint32_t byte = bytes >> 8 * (chosen & 7) & 0xff;
    if (chosen & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * n;
  }
  return result;
}

// A digit says which byte of the two words, the lowest byte last; a row for
// each value of the last operand's two bits.
static uint32_t permuted(uint32_t low, uint32_t high, uint32_t which,
                         const uint16_t rows[4]) {
  return bits_permute(low, high, rows[which & 3]);
}

#define PERMUTATION(name, row0, row1, row2, row3)                              \
  uint32_t ptx_permute_##name(uint32_t low, uint32_t high, uint32_t which) {   \
    static const uint16_t rows[4] = {row0, row1, row2, row3};                  \
    return permuted(low, high, which, rows);                                   \
  }
PERMUTATION(f4e, 0x3210, 0x4321, 0x5432, 0x6543)
PERMUTATION(b4e, 0x5670, 0x6701, 0x7012, 0x0123)
PERMUTATION(rc8, 0x0000, 0x1111, 0x2222, 0x3333)
PERMUTATION(ecl, 0x3210, 0x3211, 0x3222, 0x3333)
PERMUTATION(ecr, 0x0000, 0x1110, 0x2210, 0x3210)
PERMUTATION(rc16, 0x1010, 0x3232, 0x1010, 0x3232)

// Two halves by two bytes.
static uint32_t dot(uint32_t a, uint32_t b, uint32_t sum, bool is_a_signed,
                    bool is_b_signed) {
  for (unsigned n = 0; n < 2; n++) {
    uint32_t half = a >> 16 * n & 0xffff, byte = b >> 8 * n & 0xff;
    sum += extended(half, 16, is_a_signed) * extended(byte, 8, is_b_signed);
  }
  return sum;
}

#define DOTS(suffix, is_a_signed, is_b_signed)                                 \
  uint32_t ptx_dot_low_##suffix(uint32_t a, uint32_t b, uint32_t sum) {        \
    return dot(a, b, sum, is_a_signed, is_b_signed);                           \
  }                                                                            \
  uint32_t ptx_dot_high_##suffix(uint32_t a, uint32_t b, uint32_t sum) {       \
    return dot(a, b >> 16, sum, is_a_signed, is_b_signed);                     \
  }
DOTS(ss, true, true)
DOTS(su, true, false)
DOTS(us, false, true)
DOTS(uu, false, false)
