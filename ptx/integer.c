// The integer instructions of PTX, for one lane, on numbers.
//
// Each integer_<name> computes from the raw bits of its operands what
// integers.def says, and returns false where PTX leaves the result open.  The
// caller cuts the result to its type and extends it to the register.

#include "ptx/numbers.h"
#include "ptx/syntax.h"

#include <assert.h>

uint64_t sign_extend(uint64_t number, unsigned bits) {
  assert(bits > 0);
  if (bits >= 64)
    return number;
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return ((number & bits_mask(bits)) ^ sign) - sign;
}

bool ptx_is_signed(PtxType type) { return type.class == 's'; }

uint64_t integer_typed(PtxType type, uint64_t number) {
  return ptx_is_signed(type) ? sign_extend(number, type.bits)
                             : number & bits_mask(type.bits);
}

bool integer_saturates(const PtxInstruction *i) {
  return i->is_saturating && i->type.class == 's' && i->type.bits == 32;
}

// ----------------------------------------------------------------- values ---

// What is above the bits is zero.
typedef struct Number {
  uint64_t number;
  unsigned bits;
} Number;

typedef struct Making {
  const PtxInstruction *i;
  const uint64_t *in;
} Making;

static unsigned width(Number x) { return x.bits; }

static Number number(const Making *m, unsigned bits, uint64_t number) {
  (void)m;
  return (Number){number & bits_mask(bits), bits};
}

static int64_t as_signed(Number x) {
  return (int64_t)(x.bits ? sign_extend(x.number, x.bits) : 0);
}

static Number resized(const Making *m, Number x, unsigned bits,
                      bool is_signed) {
  return number(m, bits, is_signed ? (uint64_t)as_signed(x) : x.number);
}

#define BINARY(name, expression)                                               \
  static Number name(const Making *m, Number x, Number y) {                    \
    return number(m, x.bits, expression);                                      \
  }
BINARY(plus, x.number + y.number)
BINARY(minus, x.number - y.number)
BINARY(times, x.number *y.number)
BINARY(both, x.number & y.number)
BINARY(either, x.number | y.number)
BINARY(different, x.number ^ y.number)
BINARY(left, y.number < 64 ? x.number << y.number : 0)
BINARY(right, y.number < 64 ? x.number >> y.number : 0)
BINARY(right_signed,
       (uint64_t)(as_signed(x) >> (y.number < 64 ? y.number : 63)))
#undef BINARY

static Number flipped(const Making *m, Number x) {
  return number(m, x.bits, ~x.number);
}

static Number negative(const Making *m, Number x) {
  return number(m, x.bits, 0 - x.number);
}

static Number is_equal(const Making *m, Number x, Number y) {
  return number(m, 1, x.number == y.number);
}

static Number is_less(const Making *m, Number x, Number y, bool is_signed) {
  return number(m, 1,
                is_signed ? as_signed(x) < as_signed(y) : x.number < y.number);
}

static Number is_more(const Making *m, Number x, Number y, bool is_signed) {
  return is_less(m, y, x, is_signed);
}

static Number is_at_most(const Making *m, Number x, Number y) {
  return number(m, 1, x.number <= y.number);
}

static Number chosen(const Making *m, Number condition, Number yes, Number no) {
  (void)m;
  return condition.number ? yes : no;
}

static Number divided_by(const Making *m, Number x, Number y, bool is_rest) {
  assert(y.number); // nor is it -1, if there is a sign
  if (ptx_is_signed(m->i->type))
    return number(m, x.bits,
                  (uint64_t)(is_rest ? as_signed(x) % as_signed(y)
                                     : as_signed(x) / as_signed(y)));
  return number(m, x.bits, is_rest ? x.number % y.number : x.number / y.number);
}

static Number high_product(const Making *m, Number x, Number y) {
  __extension__ typedef unsigned __int128 Wide;
  __extension__ typedef __int128 SignedWide;
  Wide product = ptx_is_signed(m->i->type)
                     ? (Wide)((SignedWide)as_signed(x) * as_signed(y))
                     : (Wide)x.number * y.number;
  return number(m, x.bits, (uint64_t)(product >> x.bits));
}

// To a signed number of so many bits.
static Number clamped(const Making *m, Number x, unsigned bits) {
  int64_t most = (int64_t)bits_mask(bits - 1), value = as_signed(x);
  value = value > most ? most : value < ~most ? ~most : value;
  return number(m, bits, (uint64_t)value);
}

static Number ones(const Making *m, Number x) {
  return number(m, x.bits, (uint64_t)__builtin_popcountll(x.number));
}

static Number leading_zeros(const Making *m, Number x) {
  assert(x.bits > 0 && x.bits <= 64);
  return number(m, 32,
                x.number ? (uint64_t)__builtin_clzll(x.number) - (64 - x.bits)
                         : x.bits);
}

static Number reversed(const Making *m, Number x) {
  uint64_t made = 0;
  for (unsigned bit = 0; bit < x.bits; bit++)
    made |= (x.number >> bit & 1) << (x.bits - 1 - bit);
  return number(m, x.bits, made);
}

static Number nth_bit(const Making *m, Number mask, Number from, Number n) {
  return number(m, 32,
                bits_find((uint32_t)mask.number, (uint32_t)from.number,
                          (int32_t)(uint32_t)n.number));
}

static Number permuted(const Making *m, Number low, Number high, Number which) {
  return number(m, 32,
                bits_permute((uint32_t)low.number, (uint32_t)high.number,
                             (uint32_t)which.number));
}

// ----------------------------------------------------------- instructions ---

static unsigned bits_of(const Making *m) { return m->i->type.bits; }
static bool is_signed(const Making *m) { return ptx_is_signed(m->i->type); }
static bool is_high(const Making *m) { return m->i->part == CHOICE_HIGH; }
static bool is_wide(const Making *m) { return m->i->is_wide; }
static bool wraps(const Making *m) { return m->i->part == CHOICE_WRAP; }
static bool is_left(const Making *m) { return m->i->mode == CHOICE_LEFT; }
static bool saturates(const Making *m) { return integer_saturates(m->i); }

static const char *mode_of(const Making *m) {
  static const char *const modes[] = {"f4e", "b4e", "rc8",
                                      "ecl", "ecr", "rc16"};
  Modifier mode = m->i->mode;
  return mode >= CHOICE_F4E && mode <= CHOICE_RC16 ? modes[mode - CHOICE_F4E]
                                                   : NULL;
}

static Number source_bits(const Making *m, unsigned n, unsigned bits) {
  return number(m, bits, m->in[n - 1]);
}

static Number source(const Making *m, unsigned n) {
  return source_bits(m, n, bits_of(m));
}

static Number source_of_product(const Making *m, unsigned n) {
  return source_bits(m, n, is_wide(m) ? 2 * bits_of(m) : bits_of(m));
}

#include "ptx/integers.def"

static Number make_lop3(const Making *m) { return looked_up(m, m->in[3]); }

// ---------------------------------------------------- choice, comparison ---

static Number make_slct(const Making *m) {
  bool is_negative = as_signed(source_bits(m, 3, 32)) < 0;
  return source(m, is_negative ? 2 : 1);
}

static bool is_less_typed(PtxType type, uint64_t a, uint64_t b) {
  return ptx_is_signed(type)
             ? (int64_t)integer_typed(type, a) < (int64_t)integer_typed(type, b)
             : integer_typed(type, a) < integer_typed(type, b);
}

bool integer_compare(const PtxInstruction *i, PtxType type, uint64_t a,
                     uint64_t b) {
  Modifier compare = i->compare;
  if (compare == CHOICE_NONE) // unsigned lo and hi
    compare = i->part == CHOICE_LOW ? CHOICE_LT : CHOICE_GT;
  bool is_equal = integer_typed(type, a) == integer_typed(type, b);
  bool less = is_less_typed(type, a, b);
  return compare == CHOICE_EQ   ? is_equal
         : compare == CHOICE_NE ? !is_equal
         : compare == CHOICE_LT ? less
         : compare == CHOICE_LE ? less || is_equal
         : compare == CHOICE_GT ? !less && !is_equal
                                : !less;
}

static Number make_set(const Making *m) {
  const PtxInstruction *i = m->i;
  bool is_true = integer_compare(i, i->second, m->in[0], m->in[1]);
  if (i->combine == CHOICE_AND)
    is_true = is_true && m->in[2];
  else if (i->combine == CHOICE_OR)
    is_true = is_true || m->in[2];
  else if (i->combine == CHOICE_XOR)
    is_true = is_true != (m->in[2] != 0);
  const uint64_t one = 0x3f800000; // 1.0f
  return number(m, 32, !is_true ? 0 : i->type.class == 'f' ? one : UINT32_MAX);
}

static uint64_t clamp_to(PtxType to, PtxType from, uint64_t number) {
  bool is_negative = ptx_is_signed(from) && (int64_t)number < 0;
  uint64_t highest = bits_mask(ptx_is_signed(to) ? to.bits - 1u : to.bits);
  if (!is_negative)
    return number > highest ? highest : number;
  if (!ptx_is_signed(to))
    return 0;
  return (int64_t)number < (int64_t)~highest ? ~highest : number;
}

static Number make_cvt(const Making *m) {
  PtxType from = m->i->second;
  uint64_t made = integer_typed(from, m->in[0]);
  return number(m, 64,
                m->i->is_saturating ? clamp_to(m->i->type, from, made) : made);
}

// Of these not every number has a result, or not every form.
static bool has_result(const PtxInstruction *i, IntegerFunction *function,
                       const uint64_t *in) {
  PtxType second = i->second;
  if (function == integer_div || function == integer_rem)
    return (in[1] & bits_mask(i->type.bits)) != 0;
  if (function == integer_mad24)
    return !i->is_saturating;
  if (function == integer_fns)
    return (uint32_t)in[1] < 32;
  if (function == integer_shf)
    return i->mode == CHOICE_LEFT || i->mode == CHOICE_RIGHT;
  if (function == integer_prmt)
    return i->mode == CHOICE_NONE || i->mode >= CHOICE_F4E;
  if (function == integer_slct)
    return second.class == 's' && second.bits == 32;
  return function != integer_set ||
         (second.class && second.class != 'f' && second.class != 'x');
}

#define INTEGER(name, function, shape)                                         \
  bool integer_##function(const PtxInstruction *i, const uint64_t *in,         \
                          uint64_t *out) {                                     \
    Making making = {i, in};                                                   \
    *out = make_##function(&making).number;                                    \
    return has_result(i, integer_##function, in);                              \
  }
#include "ptx/instructions.def"
