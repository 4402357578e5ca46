// What words of bits give: bit by bit, or byte by byte.

#include "test/ptx/forms.h"

#include <string.h>

static bool is(const Form *form, const char *opcode) {
  return !strcmp(form->words[0], opcode);
}

static unsigned bit(uint64_t value, unsigned at) { return value >> at & 1; }

// ------------------------------------------------------------------- logic ---

static uint64_t logic(const Form *form, const uint64_t *in) {
  uint64_t result = 0;
  for (unsigned i = 0; i < form->type.bits; i++) {
    unsigned a = bit(in[0], i), b = bit(in[1], i), value;
    if (is(form, "lop3"))
      value = form->table >> (4 * a + 2 * b + bit(in[2], i)) & 1;
    else
      value = is(form, "and")   ? a && b
              : is(form, "or")  ? a || b
              : is(form, "xor") ? a != b
                                : !a;
    result |= (uint64_t)value << i;
  }
  return result;
}

// ------------------------------------------------------------------ shifts ---

// Bit i comes from where the shift says; beyond the word there is the sign.
static uint64_t shifted(const Form *form, const uint64_t *in) {
  unsigned bits = form->type.bits;
  uint64_t by = (uint32_t)in[1], result = 0;
  bool is_left = is(form, "shl");
  unsigned sign = form->type.kind == 's' ? bit(in[0], bits - 1) : 0;
  for (uint64_t i = 0; i < bits; i++) {
    uint64_t from = is_left ? i - by : i + by;
    uint64_t value = from < bits ? bit(in[0], (unsigned)from) : sign;
    result |= (is_left && from >= bits ? 0 : value) << i;
  }
  return result;
}

static uint64_t funnel(const Form *form, const uint64_t *in) {
  uint64_t by = (uint32_t)in[2], result = 0;
  by = has(form, "wrap") ? by % 32 : by > 32 ? 32 : by;
  for (uint64_t i = 0; i < 32; i++) {
    uint64_t from = has(form, "l") ? i + 32 - by : i + by;
    result |= (uint64_t)bit(in[from / 32], from % 32) << i;
  }
  return result;
}

// ------------------------------------------------------------------ fields ---

static uint64_t extracted(const Form *form, const uint64_t *in) {
  unsigned bits = form->type.bits, most = bits - 1;
  unsigned at = in[1] & 0xff, length = in[2] & 0xff;
  unsigned last = at + length - 1 < most ? at + length - 1 : most;
  unsigned sign = form->type.kind == 's' && length ? bit(in[0], last) : 0;
  uint64_t result = 0;
  for (unsigned i = 0; i < bits; i++)
    result |=
        (uint64_t)(i < length && at + i <= most ? bit(in[0], at + i) : sign)
        << i;
  return result;
}

static uint64_t inserted(const Form *form, const uint64_t *in) {
  unsigned bits = form->type.bits, at = in[2] & 0xff, length = in[3] & 0xff;
  uint64_t result = in[1];
  for (unsigned i = 0; i < length && at + i < bits; i++) {
    uint64_t mask = UINT64_C(1) << (at + i);
    result = bit(in[0], i) ? result | mask : result & ~mask;
  }
  return result;
}

static uint64_t mask(const Form *form, const uint64_t *in) {
  uint32_t at = (uint32_t)in[0], length = (uint32_t)in[1];
  uint64_t result = 0;
  if (has(form, "wrap")) {
    at %= 32;
    length %= 32;
  }
  for (uint64_t i = at; i < 32 && i < (uint64_t)at + length; i++)
    result |= UINT64_C(1) << i;
  return result;
}

static uint64_t extended(const Form *form, const uint64_t *in) {
  uint32_t length = (uint32_t)in[1];
  if (length >= 32 && has(form, "clamp"))
    return in[0];
  length %= 32;
  Type type = {form->type.kind, length, 1};
  return length ? cut(number_of(type, in[0]), 32) : 0;
}

// ------------------------------------------------------------------ counts ---

static uint64_t found(const Form *form, uint64_t value) {
  unsigned bits = form->type.bits;
  bool is_negative = form->type.kind == 's' && bit(value, bits - 1);
  for (unsigned i = bits; i-- > 0;)
    if (bit(value, i) != is_negative)
      return has(form, "shiftamt") ? bits - 1 - i : i;
  return UINT32_MAX;
}

static uint64_t counted(const Form *form, uint64_t value) {
  unsigned bits = form->type.bits, ones = 0, zeros = 0;
  bool is_first = true;
  for (unsigned i = bits; i-- > 0;) {
    ones += bit(value, i);
    is_first &= !bit(value, i);
    zeros += is_first;
  }
  return is(form, "popc") ? ones : zeros;
}

static uint64_t reversed(const Form *form, uint64_t value) {
  uint64_t result = 0;
  for (unsigned i = 0; i < form->type.bits; i++)
    result = result << 1 | bit(value, i);
  return result;
}

// False: the base is not the number of a bit, which the manual wants.
static bool nth(const uint64_t *in, uint64_t *value) {
  uint32_t base = (uint32_t)in[1];
  int64_t left = (int32_t)in[2], step = left < 0 ? -1 : 1;
  left = left ? left * step : 1;
  *value = UINT32_MAX;
  if ((int32_t)in[2] == 0 && base < 32)
    *value = bit(in[0], base) ? base : UINT32_MAX;
  for (int64_t at = base; (int32_t)in[2] && at >= 0 && at < 32; at += step)
    if (bit(in[0], (unsigned)at) && --left == 0)
      *value = (uint64_t)at;
  return base < 32;
}

// ------------------------------------------------------------------- bytes ---

static unsigned source_of(const Form *form, unsigned i, uint64_t which) {
  unsigned n = which % 4;
  if (has(form, "f4e"))
    return n + i;
  if (has(form, "b4e"))
    return (n + 8 - i) % 8;
  if (has(form, "rc8"))
    return n;
  if (has(form, "ecl"))
    return i > n ? i : n;
  if (has(form, "ecr"))
    return i < n ? i : n;
  return n % 2 * 2 + i % 2; // rc16
}

static uint64_t permuted(const Form *form, const uint64_t *in) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; i++) {
    bool has_mode = form->word_count > 2;
    unsigned nibble = in[2] >> 4 * i & 15;
    unsigned from = has_mode ? source_of(form, i, in[2]) : nibble % 8;
    uint64_t byte = in[from / 4] >> 8 * (from % 4) & 0xff;
    if (!has_mode && nibble >= 8)
      byte = byte >= 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

static uint64_t dotted(const Form *form, const uint64_t *in) {
  bool is_2 = is(form, "dp2a");
  Type a = {form->to.kind, is_2 ? 16 : 8, 1}, b = {form->type.kind, 8, 1};
  Wide sum = (Wide)in[2];
  for (unsigned i = 0; i < (is_2 ? 2 : 4); i++)
    sum += number_of(a, in[0] >> i * a.bits) *
           number_of(b, in[1] >> (8 * i + 16 * has(form, "hi")));
  return cut(sum, 32);
}

bool reference_of_bits(const Form *form, const uint64_t *in, Result *result) {
  if (is(form, "and") || is(form, "or") || is(form, "xor") || is(form, "not"))
    result->value = logic(form, in);
  else if (is(form, "lop3")) {
    result->value = logic(form, in);
    bool any = result->value != 0, other = in[4];
    if (form->sources == 5)
      result->second = has(form, "or") ? any || other : any && other;
  } else if (is(form, "cnot"))
    result->value = cut((Wide)in[0], form->type.bits) == 0;
  else if (is(form, "shl") || is(form, "shr"))
    result->value = shifted(form, in);
  else if (is(form, "shf"))
    result->value = funnel(form, in);
  else if (is(form, "bfe"))
    result->value = extracted(form, in);
  else if (is(form, "bfi"))
    result->value = inserted(form, in);
  else if (is(form, "bmsk"))
    result->value = mask(form, in);
  else if (is(form, "szext"))
    result->value = extended(form, in);
  else if (is(form, "bfind"))
    result->value = found(form, in[0]);
  else if (is(form, "popc") || is(form, "clz"))
    result->value = counted(form, in[0]);
  else if (is(form, "brev"))
    result->value = reversed(form, in[0]);
  else if (is(form, "fns"))
    result->is_open = !nth(in, &result->value);
  else if (is(form, "prmt"))
    result->value = permuted(form, in);
  else if (is(form, "dp4a") || is(form, "dp2a"))
    result->value = dotted(form, in);
  else
    return false;
  return true;
}
