// What instructions of PTX compute that neither LLVM nor the host has: numbers
// that are rounded once, the order of zeros.

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
