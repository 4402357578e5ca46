// The integer instructions of PTX, for one lane.
//
// Each integer_<name> computes from the raw bits of its operands, and returns
// false where PTX leaves the result open.  The caller cuts the result to its
// type and extends it to the register.

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

static bool is_less(PtxType type, uint64_t a, uint64_t b) {
  return ptx_is_signed(type)
             ? (int64_t)integer_typed(type, a) < (int64_t)integer_typed(type, b)
             : integer_typed(type, a) < integer_typed(type, b);
}

// ------------------------------------------------------------ arithmetic ---

// Only of s32, so that 64 bits hold every sum.
static uint64_t saturate(int64_t number) {
  if (number > INT32_MAX)
    return INT32_MAX;
  return number < INT32_MIN ? (uint64_t)(int64_t)INT32_MIN : (uint64_t)number;
}

bool integer_saturates(const PtxInstruction *i) {
  return i->is_saturating && i->type.class == 's' && i->type.bits == 32;
}

bool integer_add(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = integer_typed(i->type, in[0]) + integer_typed(i->type, in[1]);
  if (integer_saturates(i))
    *out = saturate((int64_t)*out);
  return true;
}

bool integer_sub(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = integer_typed(i->type, in[0]) - integer_typed(i->type, in[1]);
  if (integer_saturates(i))
    *out = saturate((int64_t)*out);
  return true;
}

static uint64_t high_product(PtxType type, uint64_t a, uint64_t b) {
  assert(type.bits > 0 && type.bits <= 64);
  __extension__ typedef unsigned __int128 Wide;
  __extension__ typedef __int128 SignedWide;
  a = integer_typed(type, a);
  b = integer_typed(type, b);
  if (ptx_is_signed(type))
    return (uint64_t)((Wide)((SignedWide)(int64_t)a * (int64_t)b) >> type.bits);
  return (uint64_t)((Wide)a * b >> type.bits);
}

bool integer_mul(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = i->part == CHOICE_HIGH
             ? high_product(i->type, in[0], in[1])
             : integer_typed(i->type, in[0]) * integer_typed(i->type, in[1]);
  return true;
}

bool integer_mad(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  integer_mul(i, in, out);
  if (integer_saturates(i) && i->part == CHOICE_HIGH)
    *out = saturate(
        (int64_t)(sign_extend(*out, 32) + integer_typed(i->type, in[2])));
  else
    *out += in[2];
  return true;
}

static uint64_t product24(const PtxInstruction *i, const uint64_t *in) {
  PtxType type = {i->type.class, 24};
  uint64_t product = integer_typed(type, in[0]) * integer_typed(type, in[1]);
  return i->part == CHOICE_HIGH ? product >> 16 : product;
}

bool integer_mul24(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = product24(i, in);
  return true;
}

bool integer_mad24(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = product24(i, in) + in[2];
  return !i->is_saturating;
}

bool integer_sad(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  bool less = is_less(i->type, in[0], in[1]);
  *out = in[2] + (less ? in[1] - in[0] : in[0] - in[1]);
  return true;
}

bool integer_div(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  uint64_t a = integer_typed(i->type, in[0]), b = integer_typed(i->type, in[1]);
  if (b == 0)
    return false;
  if (!ptx_is_signed(i->type))
    *out = a / b;
  else
    *out = b == UINT64_MAX ? -a : (uint64_t)((int64_t)a / (int64_t)b);
  return true;
}

bool integer_rem(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  uint64_t quotient;
  bool is_good = integer_div(i, in, &quotient);
  if (is_good)
    *out = integer_typed(i->type, in[0]) -
           quotient * integer_typed(i->type, in[1]);
  return is_good;
}

bool integer_abs(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  uint64_t number = integer_typed(i->type, in[0]);
  *out = (int64_t)number < 0 && ptx_is_signed(i->type) ? -number : number;
  return true;
}

bool integer_neg(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  (void)i;
  *out = -in[0];
  return true;
}

bool integer_min(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = is_less(i->type, in[0], in[1]) ? in[0] : in[1];
  return true;
}

bool integer_max(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = is_less(i->type, in[0], in[1]) ? in[1] : in[0];
  return true;
}

// ------------------------------------------------------------------ bits ---

static uint64_t plain(const PtxInstruction *i, uint64_t number) {
  return number & bits_mask(i->type.bits);
}

static unsigned leading_zeros(uint64_t number, unsigned bits) {
  assert(bits > 0 && bits <= 64 && number <= bits_mask(bits));
  return number ? (unsigned)__builtin_clzll(number) - (64 - bits) : bits;
}

bool integer_popc(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = (uint64_t)__builtin_popcountll(plain(i, in[0]));
  return true;
}

bool integer_clz(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = leading_zeros(plain(i, in[0]), i->type.bits);
  return true;
}

bool integer_brev(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = 0;
  for (unsigned bit = 0; bit < i->type.bits; bit++)
    *out |= (in[0] >> bit & 1) << (i->type.bits - 1 - bit);
  return true;
}

// The most significant bit that is not a sign; -1: there is none.
bool integer_bfind(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  uint64_t number = integer_typed(i->type, in[0]);
  if (ptx_is_signed(i->type) && (int64_t)number < 0)
    number = ~number;
  number = plain(i, number);
  *out = number ? i->type.bits - 1 - leading_zeros(number, i->type.bits)
                : UINT32_MAX;
  return true;
}

bool integer_bfind_shift(const PtxInstruction *i, const uint64_t *in,
                         uint64_t *out) {
  integer_bfind(i, in, out);
  if (*out != UINT32_MAX)
    *out = i->type.bits - 1 - *out;
  return true;
}

bool integer_fns(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  (void)i;
  uint32_t from = (uint32_t)in[1];
  *out = bits_find((uint32_t)in[0], from, (int32_t)in[2]);
  return from < 32;
}

bool integer_bfe(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  assert(i->type.bits > 0 && i->type.bits <= 64);
  unsigned bits = i->type.bits;
  unsigned from = (unsigned)(in[1] & 0xff), length = (unsigned)(in[2] & 0xff);
  uint64_t number = integer_typed(i->type, in[0]);
  uint64_t sign = 0;
  if (ptx_is_signed(i->type) && length) {
    unsigned last = from + length - 1 < bits - 1 ? from + length - 1 : bits - 1;
    sign = number >> last & 1;
  }
  *out = 0;
  for (unsigned bit = 0; bit < bits; bit++) {
    bool is_inside = bit < length && from + bit < bits;
    *out |= (is_inside ? number >> (from + bit) & 1 : sign) << bit;
  }
  return true;
}

bool integer_bfi(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  unsigned from = (unsigned)(in[2] & 0xff), length = (unsigned)(in[3] & 0xff);
  *out = in[1];
  for (unsigned bit = 0; bit < length && from + bit < i->type.bits; bit++) {
    uint64_t place = UINT64_C(1) << (from + bit);
    *out = (*out & ~place) | (bit < 64 && in[0] >> bit & 1 ? place : 0);
  }
  return true;
}

bool integer_szext(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  uint64_t bits = in[1] & UINT32_MAX;
  if (bits >= 32 && i->part == CHOICE_WRAP)
    bits &= 31;
  PtxType type = {i->type.class, (uint8_t)(bits > 32 ? 32 : bits)};
  *out = bits ? integer_typed(type, in[0]) : 0;
  return true;
}

bool integer_bmsk(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  uint64_t from = in[0] & UINT32_MAX, length = in[1] & UINT32_MAX;
  if (i->part == CHOICE_WRAP) {
    from &= 31;
    length &= 31;
  }
  *out =
      from >= 32 ? 0 : bits_mask(length > 32 ? 32 : (unsigned)length) << from;
  return true;
}

bool integer_and(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  (void)i;
  *out = in[0] & in[1];
  return true;
}

bool integer_or(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  (void)i;
  *out = in[0] | in[1];
  return true;
}

bool integer_xor(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  (void)i;
  *out = in[0] ^ in[1];
  return true;
}

bool integer_not(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  (void)i;
  *out = ~in[0];
  return true;
}

bool integer_cnot(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = plain(i, in[0]) == 0;
  return true;
}

bool integer_lop3(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = 0;
  for (unsigned bit = 0; bit < i->type.bits; bit++) {
    uint64_t row =
        (in[0] >> bit & 1) << 2 | (in[1] >> bit & 1) << 1 | (in[2] >> bit & 1);
    *out |= (in[3] >> row & 1) << bit;
  }
  return true;
}

// ---------------------------------------------------------------- shifts ---

bool integer_shl(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  uint64_t by = in[1] & UINT32_MAX;
  *out = by >= i->type.bits ? 0 : in[0] << by;
  return true;
}

bool integer_shr(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  uint64_t by = in[1] & UINT32_MAX, number = integer_typed(i->type, in[0]);
  bool is_negative = ptx_is_signed(i->type) && (int64_t)number < 0;
  if (by >= i->type.bits)
    *out = is_negative ? UINT64_MAX : 0;
  else
    *out = is_negative ? ~(~number >> by) : number >> by;
  return true;
}

bool integer_shf(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  uint64_t by = in[2] & UINT32_MAX;
  if (i->part == CHOICE_WRAP)
    by &= 31;
  else if (by > 32)
    by = 32;
  uint64_t both = (in[1] & UINT32_MAX) << 32 | (in[0] & UINT32_MAX);
  if (i->mode == CHOICE_LEFT)
    *out = by == 32 ? in[0] : both << by >> 32;
  else
    *out = both >> by;
  return i->mode == CHOICE_LEFT || i->mode == CHOICE_RIGHT;
}

bool integer_prmt(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  static const char *const modes[] = {"f4e", "b4e", "rc8",
                                      "ecl", "ecr", "rc16"};
  uint32_t selector = (uint32_t)in[2];
  if (i->mode != CHOICE_NONE && i->mode < CHOICE_F4E)
    return false;
  assert(i->mode <= CHOICE_RC16);
  if (i->mode != CHOICE_NONE)
    selector = ptx_permutation(modes[i->mode - CHOICE_F4E])[selector & 3];
  *out = bits_permute((uint32_t)in[0], (uint32_t)in[1], selector);
  return true;
}

// ---------------------------------------------------- choice, comparison ---

bool integer_selp(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  (void)i;
  *out = in[2] & 1 ? in[0] : in[1];
  return true;
}

bool integer_slct(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = (int64_t)sign_extend(in[2], 32) >= 0 ? in[0] : in[1];
  return i->second.class == 's' && i->second.bits == 32;
}

bool integer_compare(const PtxInstruction *i, PtxType type, uint64_t a,
                     uint64_t b) {
  Modifier compare = i->compare;
  if (compare == CHOICE_NONE) // unsigned lo and hi
    compare = i->part == CHOICE_LOW ? CHOICE_LT : CHOICE_GT;
  bool is_equal = integer_typed(type, a) == integer_typed(type, b);
  bool less = is_less(type, a, b);
  return compare == CHOICE_EQ   ? is_equal
         : compare == CHOICE_NE ? !is_equal
         : compare == CHOICE_LT ? less
         : compare == CHOICE_LE ? less || is_equal
         : compare == CHOICE_GT ? !less && !is_equal
                                : !less;
}

bool integer_set(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  bool is_true = integer_compare(i, i->second, in[0], in[1]);
  if (i->combine == CHOICE_AND)
    is_true = is_true && in[2];
  else if (i->combine == CHOICE_OR)
    is_true = is_true || in[2];
  else if (i->combine == CHOICE_XOR)
    is_true = is_true != (in[2] != 0);
  const uint64_t one = 0x3f800000; // 1.0f
  *out = !is_true ? 0 : i->type.class == 'f' ? one : UINT32_MAX;
  return i->second.class && i->second.class != 'f' && i->second.class != 'x';
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

bool integer_cvt(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = integer_typed(i->second, in[0]);
  if (i->is_saturating)
    *out = clamp_to(i->type, i->second, *out);
  return true;
}
