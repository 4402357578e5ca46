// Floats of 16 bits, and words of bits, as the device has them.
//
// A half has 5 bits of exponent and 10 of fraction, a bf16 8 and 7, as the
// upper half of a float.  What is computed with them is computed as double and
// rounded once, to the nearest, ties to even, or in another direction.

#include "ptx/numbers.h"
#include "runtime/machine/machine.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------ floats ---

typedef struct Format {
  int least;    // exponent of the smallest normal number
  int fraction; // bits
  uint32_t infinity;
} Format;

static const Format half = {-14, 10, 0x7c00};
static const Format brain = {-126, 7, 0x7f80};

// Of a number without its sign.
static Direction without_sign(Direction direction, bool is_negative) {
  switch (direction) {
  case DIRECTION_NEAREST:
  case DIRECTION_ZERO:
    return direction;
  case DIRECTION_DOWN:
    return is_negative ? DIRECTION_UP : DIRECTION_ZERO;
  case DIRECTION_UP:
    return is_negative ? DIRECTION_ZERO : DIRECTION_UP;
  }
  return direction;
}

static uint16_t directed(double value, const Format *format,
                         Direction direction) {
  uint32_t sign = signbit(value) ? 0x8000 : 0;
  int above = 0;
  if (isnan(value))
    return 0x7fff;
  direction = without_sign(direction, sign);
  value = fabs(value);
  if (isinf(value))
    return (uint16_t)(sign | format->infinity);
  frexp(value, &above); // value is below 2^above
  bool is_normal = value > 0 && above - 1 >= format->least;
  int exponent = is_normal ? above - 1 : format->least;
  double steps =
      ptx_integral(ldexp(value, format->fraction - exponent), direction);
  // The leading one of a normal number adds to the field of the exponent.
  uint32_t field = (uint32_t)(exponent - format->least);
  uint32_t bits = (field << format->fraction) + (uint32_t)steps;
  if (bits >= format->infinity) // what is cut stays finite
    bits = format->infinity - (direction == DIRECTION_ZERO);
  return (uint16_t)(sign | bits);
}

static uint16_t rounded(double value, const Format *format) {
  return directed(value, format, DIRECTION_NEAREST);
}

static double value_of(uint16_t bits, const Format *format) {
  uint32_t magnitude = bits & 0x7fff;
  uint32_t field = magnitude >> format->fraction;
  uint32_t rest = magnitude & ((1u << format->fraction) - 1);
  double value;
  if (magnitude > format->infinity)
    return NAN;
  if (magnitude == format->infinity)
    value = INFINITY;
  else if (!field)
    value = ldexp(rest, format->least - format->fraction);
  else
    value = ldexp(rest + (1u << format->fraction),
                  format->least + (int)field - 1 - format->fraction);
  return bits & 0x8000 ? -value : value;
}

double half_value(uint16_t bits) { return value_of(bits, &half); }
uint16_t half_rounded(double value) { return rounded(value, &half); }
double brain_value(uint16_t bits) { return value_of(bits, &brain); }
uint16_t brain_rounded(double value) { return rounded(value, &brain); }

uint16_t half_directed(double value, uint32_t direction) {
  return directed(value, &half, (Direction)direction);
}
uint16_t brain_directed(double value, uint32_t direction) {
  return directed(value, &brain, (Direction)direction);
}

static uint16_t add_halves(uint16_t a, uint16_t b, const Format *format) {
  return rounded(value_of(a, format) + value_of(b, format), format);
}

// ------------------------------------------------------------------- tf32 ---

// A float without its last 13 bits.
enum { LOST_BITS = 13 };

static uint32_t cut_float(float value, uint32_t add) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (isfinite(value))
    bits += add;
  return bits >> LOST_BITS << LOST_BITS;
}

uint32_t tf32_away(float value) {
  return cut_float(value, 1 << (LOST_BITS - 1));
}

uint32_t tf32_even(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return cut_float(value, (1 << (LOST_BITS - 1)) - 1 + (bits >> LOST_BITS & 1));
}

uint32_t tf32_down(float value) { return cut_float(value, 0); }

// Fibers change only at calls of the scheduler, so these need no loop.
uint16_t half_atomic_add(uint16_t *at, uint16_t value) {
  uint16_t old = *at;
  *at = add_halves(old, value, &half);
  return old;
}
uint16_t brain_atomic_add(uint16_t *at, uint16_t value) {
  uint16_t old = *at;
  *at = add_halves(old, value, &brain);
  return old;
}

// --------------------------------------------------------------- integers ---

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

int32_t bits_high_product_s32(int32_t a, int32_t b) {
  return (int32_t)((int64_t)a * b >> 32);
}
uint32_t bits_high_product_u32(uint32_t a, uint32_t b) {
  return (uint32_t)((uint64_t)a * b >> 32);
}
int64_t bits_high_product_s64(int64_t a, int64_t b) {
  return (int64_t)((Wide)a * b >> 64);
}
uint64_t bits_high_product_u64(uint64_t a, uint64_t b) {
  return (uint64_t)((UnsignedWide)a * b >> 64);
}

uint32_t bits_distance_s32(int32_t a, int32_t b, uint32_t sum) {
  return sum + (a > b ? (uint32_t)a - (uint32_t)b : (uint32_t)b - (uint32_t)a);
}
uint32_t bits_distance_u32(uint32_t a, uint32_t b, uint32_t sum) {
  return sum + (a > b ? a - b : b - a);
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

uint32_t bits_low_word(double x) { return (uint32_t)bits_of(x); }
uint32_t bits_high_word(double x) { return (uint32_t)(bits_of(x) >> 32); }

double bits_double(uint32_t high, uint32_t low) {
  uint64_t bits = (uint64_t)high << 32 | low;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
