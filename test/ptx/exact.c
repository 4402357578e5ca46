// Floats as exact numbers, and one rounding of them.
//
// Sums are made in integers of 4,480 bits, which hold all products of two
// doubles; quotients and roots have 64 bits and the knowledge of more.

#include "test/ptx/forms.h"

#include <assert.h>
#include <string.h>

// ----------------------------------------------------------------- formats ---

typedef struct Format {
  int precision, bias;
} Format;

static Format format_of(Type type) {
  if (type.kind == 'e')
    return (Format){8, 127};
  if (type.bits == 16)
    return (Format){11, 15};
  return type.bits == 32 ? (Format){24, 127} : (Format){53, 1023};
}

static uint64_t infinity_of(Type type) {
  Format f = format_of(type);
  return (uint64_t)(2 * f.bias + 1) << (f.precision - 1);
}

uint64_t nan_of(Type type) {
  return (UINT64_C(1) << (type.bits - 1)) - 1; // of double: any
}

static int width_of(UnsignedWide whole) {
  int width = 0;
  for (; whole; whole >>= 1)
    width++;
  return width;
}

Real real_of(Type type, uint64_t bits) {
  Format f = format_of(type);
  uint64_t sign = bits >> (type.bits - 1) & 1;
  uint64_t magnitude = bits & nan_of(type), infinity = infinity_of(type);
  uint64_t field = magnitude >> (f.precision - 1);
  uint64_t rest = magnitude & ((UINT64_C(1) << (f.precision - 1)) - 1);
  Real value = {.class = FINITE, .is_negative = sign};
  if (magnitude >= infinity)
    value.class = magnitude == infinity ? INFINITE : NOT_A_NUMBER;
  value.whole = field ? rest | UINT64_C(1) << (f.precision - 1) : rest;
  value.exponent = (int)(field ? field : 1) - f.bias - (f.precision - 1);
  return value;
}

Real real_of_integer(Wide value) {
  bool is_negative = value < 0;
  return (Real){.is_negative = is_negative,
                .whole = (UnsignedWide)(is_negative ? -value : value)};
}

uint64_t without_subnormal(Type type, uint64_t bits) {
  bool is_small = (bits & infinity_of(type)) == 0;
  return is_small ? bits & UINT64_C(1) << (type.bits - 1) : bits;
}

// ---------------------------------------------------------------- rounding ---

// In units of 2^unit.
static UnsignedWide rounded(Real a, int unit, Mode mode) {
  int lost = unit - a.exponent;
  if (lost <= 0) {
    assert(width_of(a.whole) - lost < 127 && !a.is_more);
    return a.whole << -lost;
  }
  UnsignedWide kept = lost < 128 ? a.whole >> lost : 0;
  UnsignedWide rest = lost < 128 ? a.whole - (kept << lost) : a.whole;
  UnsignedWide half = lost <= 128 ? (UnsignedWide)1 << (lost - 1) : 0;
  bool is_exact = !rest && !a.is_more, is_up = false;
  bool is_above = half && (rest > half || (rest == half && a.is_more));
  bool is_tie = half && rest == half && !a.is_more;
  switch (mode) {
  case MODE_NEAREST:
    is_up = is_above || (is_tie && (kept & 1));
    break;
  case MODE_ZERO:
    break;
  case MODE_DOWN:
    is_up = a.is_negative && !is_exact;
    break;
  case MODE_UP:
    is_up = !a.is_negative && !is_exact;
    break;
  }
  return kept + is_up;
}

static bool stays_finite(Mode mode, bool is_negative) {
  return mode == MODE_ZERO || mode == (is_negative ? MODE_UP : MODE_DOWN);
}

uint64_t bits_of(Type type, Real a, Mode mode) {
  Format f = format_of(type);
  uint64_t sign = (uint64_t)a.is_negative << (type.bits - 1);
  uint64_t infinity = infinity_of(type);
  if (a.class == NOT_A_NUMBER)
    return nan_of(type);
  if (a.class == INFINITE)
    return sign | infinity;
  int least = 1 - f.bias - (f.precision - 1); // of the smallest subnormal
  int unit = a.exponent + width_of(a.whole) - f.precision;
  if (unit < least)
    unit = least;
  if (!a.whole && !a.is_more)
    return sign;
  uint64_t steps = (uint64_t)rounded(a, unit, mode);
  uint64_t bits = ((uint64_t)(unit - least) << (f.precision - 1)) + steps;
  if (bits >= infinity)
    bits = stays_finite(mode, a.is_negative) ? infinity - 1 : infinity;
  return sign | bits;
}

Real integral_of(Real a, Mode mode) {
  if (a.class != FINITE || a.exponent >= 0)
    return a;
  a.whole = rounded(a, 0, mode);
  a.exponent = 0;
  return a;
}

// -------------------------------------------------------------------- sums ---

enum { PLACES = 140, LOWEST = -2200 }; // words of 32 bits, from 2^LOWEST on

typedef struct Big {
  uint32_t words[PLACES];
} Big;

static Big big_of(Real a) {
  Big big = {{0}};
  int at = a.exponent - LOWEST;
  for (int i = 0; i < 128; i++)
    if (a.whole >> i & 1) {
      assert(at + i >= 0 && at + i < PLACES * 32);
      big.words[(at + i) / 32] |= UINT32_C(1) << (at + i) % 32;
    }
  return big;
}

static int compare(const Big *a, const Big *b) {
  for (int i = PLACES; i-- > 0;)
    if (a->words[i] != b->words[i])
      return a->words[i] < b->words[i] ? -1 : 1;
  return 0;
}

static Big added(const Big *a, const Big *b, bool is_minus) {
  Big sum;
  int64_t carry = 0;
  for (int i = 0; i < PLACES; i++) {
    carry += a->words[i];
    carry += is_minus ? -(int64_t)b->words[i] : (int64_t)b->words[i];
    sum.words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return sum;
}

// The upper 96 bits and more, and whether there is anything below.
static Real real_of_big(const Big *big, bool is_negative) {
  Real value = {.is_negative = is_negative};
  int top = PLACES - 1;
  while (top > 3 && !big->words[top])
    top--;
  for (int i = 0; i < 4; i++)
    value.whole = value.whole << 32 | big->words[top - i];
  value.exponent = (top - 3) * 32 + LOWEST;
  for (int i = 0; i < top - 3; i++)
    value.is_more |= big->words[i] != 0;
  return value;
}

static const Real no_number = {.class = NOT_A_NUMBER};

Real sum_of(Real a, Real b, Mode mode) {
  if (a.class == NOT_A_NUMBER || b.class == NOT_A_NUMBER)
    return no_number;
  if (a.class == INFINITE || b.class == INFINITE) {
    bool differ = a.class == b.class && a.is_negative != b.is_negative;
    return differ ? no_number : a.class == INFINITE ? a : b;
  }
  Big x = big_of(a), y = big_of(b), sum;
  int order = compare(&x, &y);
  if (a.is_negative == b.is_negative) {
    sum = added(&x, &y, false);
    return real_of_big(&sum, a.is_negative);
  }
  sum = order < 0 ? added(&y, &x, true) : added(&x, &y, true);
  bool is_negative = order == 0  ? mode == MODE_DOWN
                     : order < 0 ? b.is_negative
                                 : a.is_negative;
  return real_of_big(&sum, is_negative);
}

// ---------------------------------------------------------------- products ---

static bool is_zero(Real a) { return a.class == FINITE && !a.whole; }

Real product_of(Real a, Real b) {
  bool is_nan = a.class == NOT_A_NUMBER || b.class == NOT_A_NUMBER ||
                (a.class == INFINITE && is_zero(b)) ||
                (b.class == INFINITE && is_zero(a));
  Real value = {.is_negative = a.is_negative != b.is_negative,
                .whole = a.whole * b.whole,
                .exponent = a.exponent + b.exponent};
  if (a.class == INFINITE || b.class == INFINITE)
    value.class = INFINITE;
  return is_nan ? no_number : value;
}

static Real normal(Real a) {
  enum { WIDTH = 53 };
  int by = WIDTH - width_of(a.whole);
  assert(by >= 0);
  a.whole <<= by;
  a.exponent -= by;
  return a;
}

Real quotient_of(Real a, Real b) {
  enum { MORE = 66 };
  Real value = {.is_negative = a.is_negative != b.is_negative};
  if (a.class == NOT_A_NUMBER || b.class == NOT_A_NUMBER ||
      (a.class == INFINITE && b.class == INFINITE) ||
      (is_zero(a) && is_zero(b)))
    return no_number;
  if (a.class == INFINITE || is_zero(b))
    value.class = INFINITE;
  if (value.class == INFINITE || b.class == INFINITE || is_zero(a))
    return value;
  a = normal(a);
  b = normal(b);
  UnsignedWide dividend = a.whole << MORE;
  value.whole = dividend / b.whole;
  value.is_more = dividend % b.whole != 0;
  value.exponent = a.exponent - MORE - b.exponent;
  return value;
}

Real root_of(Real a) {
  Real value = {.is_negative = false};
  if (is_zero(a) || a.class == NOT_A_NUMBER)
    return a;
  if (a.is_negative)
    return no_number;
  if (a.class == INFINITE)
    return a;
  a = normal(a);
  a.whole <<= 72;
  a.exponent -= 72;
  if (a.exponent % 2) {
    a.whole >>= 1; // one of the 72
    a.exponent++;
  }
  for (int bit = 63; bit >= 0; bit--) {
    UnsignedWide next = value.whole | (UnsignedWide)1 << bit;
    if (next * next <= a.whole)
      value.whole = next;
  }
  value.is_more = value.whole * value.whole != a.whole;
  value.exponent = a.exponent / 2;
  return value;
}

// ------------------------------------------------------------------- order ---

int order_of(Real a, Real b) {
  if (a.is_negative != b.is_negative)
    return a.is_negative ? -1 : 1;
  int sign = a.is_negative ? -1 : 1;
  if (a.class == INFINITE || b.class == INFINITE)
    return sign * ((a.class == INFINITE) - (b.class == INFINITE));
  Big x = big_of(a), y = big_of(b);
  return sign * compare(&x, &y);
}
