// What arithmetic on integers gives: computed without end, then cut.

#include "test/ptx/forms.h"

#include <string.h>

uint64_t cut(Wide value, unsigned bits) {
  return (uint64_t)((UnsignedWide)value & (((UnsignedWide)1 << bits) - 1));
}

Wide number_of(Type type, uint64_t bits) {
  Wide value = (Wide)cut((Wide)bits, type.bits);
  bool is_negative = type.kind == 's' && bits >> (type.bits - 1) & 1;
  return is_negative ? value - ((Wide)1 << type.bits) : value;
}

Wide clamped(Wide value, Wide least, Wide most) {
  return value < least ? least : value > most ? most : value;
}

static Wide greatest(Wide a, Wide b) { return a > b ? a : b; }
static Wide least(Wide a, Wide b) { return a < b ? a : b; }

static bool is(const Form *form, const char *opcode) {
  return !strcmp(form->words[0], opcode);
}

// The lower or upper half of a product, or all of it.
static Wide product(const Form *form, Wide a, Wide b) {
  unsigned bits = form->type.bits;
  bool is_24 = strstr(form->words[0], "24") != NULL;
  if (is_24) {
    Type type = {form->type.kind, 24, 1};
    a = number_of(type, cut(a, 24));
    b = number_of(type, cut(b, 24));
    return has(form, "hi") ? a * b >> 16 : a * b;
  }
  if (!has(form, "hi"))
    return a * b;
  if (bits < 64)
    return a * b >> bits;
  // by halves of the second: a * (high * 2^32 + low), in units of 2^64
  Wide high = b >> 32, low = b & UINT32_MAX;
  return (a * high + (a * low >> 32)) >> 32;
}

static bool divide(const Form *form, Wide a, Wide b, Result *result,
                   Wide *value) {
  Wide lowest = -((Wide)1 << (form->type.bits - 1));
  result->is_open =
      b == 0 || (form->type.kind == 's' && a == lowest && b == -1);
  if (!result->is_open)
    *value = is(form, "div") ? a / b : a % b;
  return true;
}

// One lane.
static bool compute(const Form *form, const Wide *in, Result *result,
                    Wide *value) {
  Wide a = in[0], b = in[1], c = in[2];
  unsigned bits = form->type.bits;
  if (is(form, "div") || is(form, "rem"))
    return divide(form, a, b, result, value);
  if (is(form, "add"))
    *value = a + b;
  else if (is(form, "sub"))
    *value = a - b;
  else if (is(form, "mul") || is(form, "mul24"))
    *value = product(form, a, b);
  else if (is(form, "mad") || is(form, "mad24"))
    *value = has(form, "sat") // the product is a number of the type by itself
                 ? number_of(form->type, cut(product(form, a, b), bits)) + c
                 : product(form, a, b) + c;
  else if (is(form, "sad"))
    *value = c + greatest(a, b) - least(a, b);
  else if (is(form, "neg"))
    *value = -a;
  else if (is(form, "abs"))
    *value = a < 0 ? -a : a;
  else if (is(form, "min"))
    *value = least(a, b);
  else if (is(form, "max"))
    *value = greatest(a, b);
  else
    return false;
  if (has(form, "relu"))
    *value = greatest(*value, 0);
  if (has(form, "sat"))
    *value = clamped(*value, INT32_MIN, INT32_MAX);
  return true;
}

// The carry out of so many bits, of a sum or a difference.
static bool with_carry(const Form *form, const uint64_t *in, Result *result) {
  unsigned bits = form->result.bits;
  bool takes = form->words[0][strlen(form->words[0]) - 1] == 'c';
  bool is_minus = form->words[0][0] == 's';
  Wide carry = takes && in[MOST_SOURCES - 1] % 2;
  Wide x = (Wide)cut((Wide)in[0], bits), y = (Wide)cut((Wide)in[1], bits);
  if (form->words[0][0] == 'm') {
    Wide a = number_of(form->type, in[0]), b = number_of(form->type, in[1]);
    x = (Wide)cut(product(form, a, b), bits);
    y = (Wide)cut((Wide)in[2], bits);
  }
  Wide sum = is_minus ? x - y - carry : x + y + carry;
  result->value = cut(sum, bits);
  if (has(form, "cc"))
    result->second = is_minus ? sum < 0 : sum >> bits != 0;
  return true;
}

bool reference_of_integers(const Form *form, const uint64_t *in,
                           Result *result) {
  Type lane = form->type;
  if (is_float(lane) || lane.kind == 'b' || lane.kind == 'p' ||
      form->words[0][0] == 'v')
    return false;
  if (has(form, "cc") || is(form, "addc") || is(form, "subc") ||
      is(form, "madc"))
    return with_carry(form, in, result);
  for (unsigned n = 0; n < lane.lanes; n++) {
    Wide numbers[MOST_SOURCES] = {0}, value = 0;
    for (unsigned i = 0; i < form->sources; i++) {
      Type own = form->operands[i];
      numbers[i] = number_of(own, in[i] >> n * own.bits);
    }
    if (!compute(form, numbers, result, &value))
      return false;
    result->value |= cut(value, form->result.bits) << n * lane.bits;
  }
  return true;
}
