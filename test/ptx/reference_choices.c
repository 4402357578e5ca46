// What comparisons and choices give.

#include "test/ptx/forms.h"

#include <string.h>

static bool is(const Form *form, const char *opcode) {
  return !strcmp(form->words[0], opcode);
}

static bool is_one_of(const char *word, const char *list) {
  size_t length = strlen(word);
  for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
    if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
      return true;
  return false;
}

// By whether the first is less, equal or more; "u" at its end holds of NaN.
static bool holds(const char *word, int order, bool is_nan) {
  if (is_one_of(word, "num nan"))
    return is_nan == !strcmp(word, "nan");
  if (is_nan)
    return is_one_of(word, "equ neu ltu leu gtu geu");
  return order < 0   ? is_one_of(word, "ne neu lt ltu le leu lo ls")
         : order > 0 ? is_one_of(word, "ne neu gt gtu ge geu hi hs")
                     : is_one_of(word, "eq equ le leu ge geu ls hs");
}

static bool compared(const Form *form, uint64_t a, uint64_t b) {
  Type type = form->type;
  if (!is_float(type)) {
    Wide x = number_of(type, a), y = number_of(type, b);
    return holds(form->words[1], (x > y) - (x < y), false);
  }
  a = cut((Wide)a, type.bits);
  b = cut((Wide)b, type.bits);
  if (has(form, "ftz") && type.bits < 64) {
    a = without_subnormal(type, a);
    b = without_subnormal(type, b);
  }
  Real x = real_of(type, a), y = real_of(type, b);
  bool is_nan = x.class == NOT_A_NUMBER || y.class == NOT_A_NUMBER;
  x.is_negative &= x.whole != 0 || x.class != FINITE; // zeros are equal
  y.is_negative &= y.whole != 0 || y.class != FINITE;
  return holds(form->words[1], is_nan ? 0 : order_of(x, y), is_nan);
}

static bool joined(const Form *form, bool value, const uint64_t *in) {
  if (form->sources < 3)
    return value;
  return has(form, "and")  ? value && in[2]
         : has(form, "or") ? value || in[2]
                           : value != (in[2] != 0);
}

static uint64_t truth(const Form *form, bool value) {
  unsigned bits = form->to.bits * form->to.lanes / form->type.lanes;
  uint64_t all = cut(-1, bits);
  if (is_float(form->to))
    all = bits == 32 ? 0x3f800000 : form->to.kind == 'e' ? 0x3f80 : 0x3c00;
  return value ? all : 0;
}

static void set(const Form *form, const uint64_t *in, Result *result) {
  unsigned lanes = form->type.lanes, bits = form->type.bits;
  for (unsigned n = 0; n < lanes; n++) {
    bool value = compared(form, in[0] >> n * bits, in[1] >> n * bits);
    uint64_t part = truth(form, joined(form, value, in));
    result->value |= part << n * form->to.bits * form->to.lanes / lanes;
  }
}

// The second predicate has the other lane, or the contrary of the comparison.
static void set_predicates(const Form *form, const uint64_t *in,
                           Result *result) {
  bool value = compared(form, in[0], in[1]), other = !value;
  if (form->type.lanes == 2)
    other = compared(form, in[0] >> 16, in[1] >> 16);
  result->value = joined(form, value, in);
  if (!(is_float(form->type) && form->type.bits == 16 &&
        form->type.lanes == 1)) // has one only
    result->second = joined(form, other, in);
}

static bool is_first(const Form *form, uint64_t bits) {
  if (!is_float(form->type))
    return number_of(form->type, bits) >= 0;
  if (has(form, "ftz"))
    bits = without_subnormal(form->type, bits);
  Real value = real_of(form->type, bits);
  bool is_zero = value.class == FINITE && !value.whole;
  return value.class != NOT_A_NUMBER && (!value.is_negative || is_zero);
}

static bool tested(const Form *form, Real value) {
  bool is_small = value.class == FINITE &&
                  value.whole >> (form->type.bits == 32 ? 23 : 52) == 0;
  bool is_zero = value.class == FINITE && !value.whole;
  if (has(form, "finite"))
    return value.class == FINITE;
  if (has(form, "infinite"))
    return value.class == INFINITE;
  if (has(form, "number"))
    return value.class != NOT_A_NUMBER;
  if (has(form, "notanumber"))
    return value.class == NOT_A_NUMBER;
  if (has(form, "subnormal"))
    return is_small && !is_zero;
  return value.class == FINITE && !is_small;
}

bool reference_of_choices(const Form *form, const uint64_t *in,
                          Result *result) {
  if (is(form, "setp"))
    set_predicates(form, in, result);
  else if (is(form, "set"))
    set(form, in, result);
  else if (is(form, "selp"))
    result->value = in[2] ? in[0] : in[1];
  else if (is(form, "slct"))
    result->value = is_first(form, in[2]) ? in[0] : in[1];
  else if (is(form, "testp"))
    result->value = tested(form, real_of(form->type, in[0]));
  else if (is(form, "mov") || is(form, "cvta"))
    result->value = in[0];
  else
    return false;
  return true;
}
