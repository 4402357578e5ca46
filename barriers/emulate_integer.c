// The integer instructions of PTX, lane by lane and for whole warps.
//
// Each integer_<name> computes one lane from the raw bits of its operands, and
// returns false where PTX leaves the result open.  The caller cuts the result
// to its type and extends it to the register.  What is linear in the operands
// is computed on base and stride instead, for all lanes at once; an operand
// that has to be extended first is still a line if no lane wraps around.

#include "barriers/emulate.h"

#include <assert.h>

static bool is_signed(PtxType type) { return type.class == 's'; }

// The operand as its type says.
static uint64_t typed(PtxType type, uint64_t number) {
  return is_signed(type) ? sign_extend(number, type.bits)
                         : number & bits_mask(type.bits);
}

static bool is_less(PtxType type, uint64_t a, uint64_t b) {
  return is_signed(type) ? (int64_t)typed(type, a) < (int64_t)typed(type, b)
                         : typed(type, a) < typed(type, b);
}

// ------------------------------------------------------------ arithmetic ---

// Only of s32, so that 64 bits hold every sum.
static uint64_t saturate(int64_t number) {
  if (number > INT32_MAX)
    return INT32_MAX;
  return number < INT32_MIN ? (uint64_t)(int64_t)INT32_MIN : (uint64_t)number;
}

static bool saturates(const PtxInstruction *i) {
  return i->is_saturating && i->type.class == 's' && i->type.bits == 32;
}

bool integer_add(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = typed(i->type, in[0]) + typed(i->type, in[1]);
  if (saturates(i))
    *out = saturate((int64_t)*out);
  return true;
}

bool integer_sub(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = typed(i->type, in[0]) - typed(i->type, in[1]);
  if (saturates(i))
    *out = saturate((int64_t)*out);
  return true;
}

static uint64_t high_product(PtxType type, uint64_t a, uint64_t b) {
  __extension__ typedef unsigned __int128 Wide;
  __extension__ typedef __int128 SignedWide;
  a = typed(type, a);
  b = typed(type, b);
  if (is_signed(type))
    return (uint64_t)((Wide)((SignedWide)(int64_t)a * (int64_t)b) >> type.bits);
  return (uint64_t)((Wide)a * b >> type.bits);
}

bool integer_mul(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = i->part == CHOICE_HIGH ? high_product(i->type, in[0], in[1])
                                : typed(i->type, in[0]) * typed(i->type, in[1]);
  return true;
}

bool integer_mad(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  integer_mul(i, in, out);
  if (saturates(i) && i->part == CHOICE_HIGH)
    *out = saturate((int64_t)(sign_extend(*out, 32) + typed(i->type, in[2])));
  else
    *out += in[2];
  return true;
}

static uint64_t product24(const PtxInstruction *i, const uint64_t *in) {
  PtxType type = {i->type.class, 24};
  uint64_t product = typed(type, in[0]) * typed(type, in[1]);
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
  uint64_t a = typed(i->type, in[0]), b = typed(i->type, in[1]);
  if (b == 0)
    return false;
  if (!is_signed(i->type))
    *out = a / b;
  else
    *out = b == UINT64_MAX ? -a : (uint64_t)((int64_t)a / (int64_t)b);
  return true;
}

bool integer_rem(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  uint64_t quotient;
  bool is_good = integer_div(i, in, &quotient);
  if (is_good)
    *out = typed(i->type, in[0]) - quotient * typed(i->type, in[1]);
  return is_good;
}

bool integer_abs(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  uint64_t number = typed(i->type, in[0]);
  *out = (int64_t)number < 0 && is_signed(i->type) ? -number : number;
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
  uint64_t number = typed(i->type, in[0]);
  if (is_signed(i->type) && (int64_t)number < 0)
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

// The n-th set bit from a base, up for positive and down for negative n.
bool integer_fns(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  (void)i;
  int64_t at = (int64_t)(in[1] & 31);
  int64_t wanted = (int64_t)sign_extend(in[2], 32);
  int64_t stepping = wanted < 0 ? -1 : 1;
  int64_t left = wanted == 0 ? 1 : wanted * stepping;
  *out = UINT32_MAX;
  if (wanted == 0) {
    *out = in[0] >> at & 1 ? (uint64_t)at : UINT32_MAX;
    return true;
  }
  for (; at >= 0 && at < 32; at += stepping)
    if ((in[0] >> at & 1) && --left == 0) {
      *out = (uint64_t)at;
      return true;
    }
  return true;
}

bool integer_bfe(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  unsigned bits = i->type.bits;
  unsigned from = (unsigned)(in[1] & 0xff), length = (unsigned)(in[2] & 0xff);
  uint64_t number = typed(i->type, in[0]);
  uint64_t sign = 0;
  if (is_signed(i->type) && length) {
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
  *out = bits ? typed(type, in[0]) : 0;
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
  uint64_t by = in[1] & UINT32_MAX, number = typed(i->type, in[0]);
  bool is_negative = is_signed(i->type) && (int64_t)number < 0;
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

// The selector that a mode of prmt stands for.
static uint64_t prmt_selector(Modifier mode, uint64_t selector) {
  static const unsigned table[][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
      {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
      {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  if (mode == CHOICE_NONE)
    return selector;
  assert(mode >= CHOICE_F4E && mode <= CHOICE_RC16);
  return table[mode - CHOICE_F4E][selector & 3];
}

bool integer_prmt(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  if (i->mode != CHOICE_NONE && i->mode < CHOICE_F4E)
    return false;
  uint64_t selector = prmt_selector(i->mode, in[2]);
  uint64_t both = (in[1] & UINT32_MAX) << 32 | (in[0] & UINT32_MAX);
  *out = 0;
  for (unsigned byte = 0; byte < 4; byte++) {
    uint64_t choice = selector >> (4 * byte);
    uint64_t taken = both >> (8 * (choice & 7)) & 0xff;
    if (choice & 8)
      taken = taken & 0x80 ? 0xff : 0;
    *out |= taken << (8 * byte);
  }
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
  bool is_equal = typed(type, a) == typed(type, b);
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
  bool is_negative = is_signed(from) && (int64_t)number < 0;
  uint64_t highest = bits_mask(is_signed(to) ? to.bits - 1u : to.bits);
  if (!is_negative)
    return number > highest ? highest : number;
  if (!is_signed(to))
    return 0;
  return (int64_t)number < (int64_t)~highest ? ~highest : number;
}

bool integer_cvt(const PtxInstruction *i, const uint64_t *in, uint64_t *out) {
  *out = typed(i->second, in[0]);
  if (i->is_saturating)
    *out = clamp_to(i->type, i->second, *out);
  return true;
}

// ----------------------------------------------------------- whole warps ---

// A value as 64-bit numbers base + stride * lane, if it is one when it is read
// as `type`.
typedef struct Line {
  uint64_t base, stride;
} Line;

static bool line_of(const Value *value, PtxType type, bool must_extend,
                    Line *line) {
  if (value->kind != VALUE_AFFINE || value->bits < type.bits)
    return false;
  if (!must_extend || type.bits == 64) {
    *line = (Line){value->base, value->stride};
    return true;
  }
  uint64_t stride = sign_extend(value->stride, type.bits);
  uint64_t first = typed(type, value->base);
  uint64_t last = typed(type, value->base + value->stride * (WARP - 1));
  *line = (Line){first, stride};
  // The type has at most 32 bits here, so that nothing below overflows.
  return first + stride * (WARP - 1) == last;
}

static Line line_add(Line a, Line b) {
  return (Line){a.base + b.base, a.stride + b.stride};
}

static Line line_scale(Line a, uint64_t by) {
  return (Line){a.base * by, a.stride * by};
}

static bool line_product(Line a, Line b, Line *product) {
  if (a.stride && b.stride)
    return false;
  *product = a.stride ? line_scale(a, b.base) : line_scale(b, a.base);
  return true;
}

static bool product_line(const PtxInstruction *i, const Value *in,
                         Line *result) {
  Line a, b;
  return i->part != CHOICE_HIGH && line_of(&in[0], i->type, i->is_wide, &a) &&
         line_of(&in[1], i->type, i->is_wide, &b) && line_product(a, b, result);
}

static bool sum_line(const PtxInstruction *i, const Value *in, Line *result) {
  Line a, b;
  if (i->is_saturating || !line_of(&in[0], i->type, false, &a) ||
      !line_of(&in[1], i->type, false, &b))
    return false;
  bool is_sub = i->opcode->function == integer_sub;
  *result = line_add(a, is_sub ? line_scale(b, UINT64_MAX) : b);
  return true;
}

static bool mad_line(const PtxInstruction *i, const Value *in, Line *result) {
  PtxType sum = i->type;
  sum.bits = (uint8_t)(i->is_wide ? 2 * sum.bits : sum.bits);
  Line product, addend;
  if (i->is_saturating || !product_line(i, in, &product) ||
      !line_of(&in[2], sum, false, &addend))
    return false;
  *result = line_add(product, addend);
  return true;
}

static bool shift_line(const PtxInstruction *i, const Value *in, Line *result) {
  Line a;
  if (in[1].kind != VALUE_AFFINE || in[1].stride ||
      !line_of(&in[0], i->type, false, &a))
    return false;
  uint64_t by = value_lane(&in[1], 0) & UINT32_MAX;
  *result =
      by >= i->type.bits ? (Line){0, 0} : line_scale(a, UINT64_C(1) << by);
  return true;
}

static bool cvt_line(const PtxInstruction *i, const Value *in, Line *result) {
  bool must_extend = i->type.bits > i->second.bits;
  return !i->is_saturating && line_of(&in[0], i->second, must_extend, result);
}

static bool linear(const PtxInstruction *i, const Value *in, Line *result) {
  IntegerFunction *function = i->opcode->function;
  if (function == integer_add || function == integer_sub)
    return sum_line(i, in, result);
  if (function == integer_mul)
    return product_line(i, in, result);
  if (function == integer_mad)
    return mad_line(i, in, result);
  if (function == integer_shl)
    return shift_line(i, in, result);
  if (function == integer_cvt)
    return cvt_line(i, in, result);
  return false;
}

// The type that the result has before it goes to a register.
static PtxType result_type(const PtxInstruction *i) {
  IntegerFunction *function = i->opcode->function;
  PtxType type = i->type;
  if (i->is_wide)
    type.bits = (uint8_t)(2 * type.bits);
  if (function == integer_popc || function == integer_clz ||
      function == integer_bfind || function == integer_bfind_shift)
    type = (PtxType){'u', 32};
  return type;
}

static bool one_lane(const PtxInstruction *i, const Value *in, unsigned count,
                     unsigned lane, uint64_t *out) {
  uint64_t numbers[4] = {0};
  assert(count <= 4);
  for (unsigned k = 0; k < count; k++)
    numbers[k] = value_lane(&in[k], lane);
  bool is_good = i->opcode->function(i, numbers, out);
  *out = typed(result_type(i), *out);
  return is_good;
}

// ------------------------------------------------------------- all lanes ---

// The number of each lane as its type says, for loops that do one thing.
static void expand(PtxType type, const Value *value, uint64_t at[WARP]) {
  uint64_t mask = bits_mask(type.bits < value->bits ? type.bits : value->bits);
  uint64_t sign = is_signed(type) ? UINT64_C(1) << (type.bits - 1) : 0;
  for (unsigned lane = 0; lane < WARP; lane++)
    at[lane] = value->kind == VALUE_AFFINE ? value->base + value->stride * lane
               : value->kind == VALUE_BITS ? value->base >> lane & 1
                                           : value->lanes[lane];
  for (unsigned lane = 0; lane < WARP; lane++)
    at[lane] = ((at[lane] & mask) ^ sign) - sign;
}

static void shift_right(PtxType type, uint64_t a[WARP],
                        const uint64_t b[WARP]) {
  for (unsigned lane = 0; lane < WARP; lane++) {
    uint64_t by = b[lane] & UINT32_MAX;
    uint64_t fill = is_signed(type) && (int64_t)a[lane] < 0 ? UINT64_MAX : 0;
    a[lane] = by >= type.bits ? fill : ((a[lane] ^ fill) >> by) ^ fill;
  }
}

// Those of two operands that are most of all; false: it is another one.
static bool compute_pair(const PtxInstruction *i, uint64_t a[WARP],
                         const uint64_t b[WARP]) {
  IntegerFunction *function = i->opcode->function;
  if (function == integer_add)
    for (unsigned lane = 0; lane < WARP; lane++)
      a[lane] += b[lane];
  else if (function == integer_sub)
    for (unsigned lane = 0; lane < WARP; lane++)
      a[lane] -= b[lane];
  else if (function == integer_mul)
    for (unsigned lane = 0; lane < WARP; lane++)
      a[lane] *= b[lane];
  else if (function == integer_and)
    for (unsigned lane = 0; lane < WARP; lane++)
      a[lane] &= b[lane];
  else if (function == integer_or)
    for (unsigned lane = 0; lane < WARP; lane++)
      a[lane] |= b[lane];
  else if (function == integer_shl)
    for (unsigned lane = 0; lane < WARP; lane++)
      a[lane] = (b[lane] & UINT32_MAX) >= i->type.bits ? 0 : a[lane] << b[lane];
  else if (function == integer_shr)
    shift_right(i->type, a, b);
  else
    return false;
  return true;
}

static void select_lanes(const PtxInstruction *i, const Value *in,
                         uint64_t out[WARP]) {
  uint64_t first[WARP], second[WARP], which[WARP];
  PtxType plain = {'b', i->type.bits};
  expand(plain, &in[0], first);
  expand(plain, &in[1], second);
  expand((PtxType){'b', 1}, &in[2], which);
  for (unsigned lane = 0; lane < WARP; lane++)
    out[lane] = typed(i->type, which[lane] ? first[lane] : second[lane]);
}

// What integer_<name> computes one by one, of all lanes at once.
static bool all_lanes(const PtxInstruction *i, const Value *in, unsigned count,
                      uint64_t out[WARP]) {
  IntegerFunction *function = i->opcode->function;
  PtxType result = result_type(i);
  bool is_shift = function == integer_shl || function == integer_shr;
  uint64_t first[WARP], second[WARP];
  if (function == integer_selp && count == 3) {
    select_lanes(i, in, out);
    return true;
  }
  if (count != 2 || saturates(i) || i->part == CHOICE_HIGH)
    return false;
  expand(i->type, &in[0], first);
  expand(is_shift ? (PtxType){'u', 32} : i->type, &in[1], second);
  if (!compute_pair(i, first, second))
    return false;
  for (unsigned lane = 0; lane < WARP; lane++)
    out[lane] = typed(result, first[lane]);
  return true;
}

// Lanes of an unknown result that are no generic address of shared memory, nor
// computed from one.
static uint32_t still_elsewhere(const Emulation *emulation, const Value *in,
                                unsigned count) {
  uint32_t lanes = UINT32_MAX;
  for (unsigned k = 0; k < count; k++)
    lanes &= anchor_elsewhere(emulation, &in[k]);
  return lanes;
}

// Equal operands give equal results, where there is one.
static uint32_t alike_results(const Value *in, unsigned count) {
  uint32_t known = UINT32_MAX, alike = UINT32_MAX;
  for (unsigned k = 0; k < count; k++) {
    known &= in[k].known;
    alike &= value_alike(&in[k]);
  }
  return alike & ~known;
}

static Value with_unknown_lanes(const Emulation *emulation,
                                const PtxInstruction *i, Value result,
                                const Value *in, unsigned count) {
  if (result.known == UINT32_MAX)
    return result;
  result.elsewhere = still_elsewhere(emulation, in, count) & ~result.known;
  result.alike = alike_results(in, count) & ~result.known;
  result.cause = i;
  for (unsigned k = 0; k < count; k++)
    if (in[k].known != UINT32_MAX && in[k].cause) {
      result.cause = in[k].cause;
      break;
    }
  return result;
}

static bool are_all_uniform(const Value *in, unsigned count) {
  for (unsigned k = 0; k < count; k++)
    if (in[k].kind != VALUE_AFFINE || in[k].stride)
      return false;
  return true;
}

// The numbers, wherever variables are.
static Value evaluate(const PtxInstruction *i, const Value *in, unsigned count,
                      unsigned bits, uint32_t known, uint64_t *scratch) {
  Line line;
  Value result = {.bits = bits};
  if (are_all_uniform(in, count)) {
    result.known = one_lane(i, in, count, 0, &result.base) ? known : 0;
    return result;
  }
  if (bits <= result_type(i).bits && linear(i, in, &line)) {
    result.base = line.base;
    result.stride = line.stride;
    result.known = known;
    return result;
  }
  bool is_done = all_lanes(i, in, count, scratch);
  for (uint32_t rest = is_done ? 0 : known; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    if (!one_lane(i, in, count, lane, &scratch[lane]))
      known &= ~(UINT32_C(1) << lane);
  }
  return value_lanes(bits, known, scratch);
}

static bool has_anchors(const Value *in, unsigned count) {
  for (unsigned k = 0; k < count; k++)
    if (in[k].is_anchored)
      return true;
  return false;
}

Value integer_evaluate(const Emulation *emulation, const PtxInstruction *i,
                       const Value *in, unsigned count, unsigned bits,
                       Warp *warp) {
  uint32_t known = UINT32_MAX;
  Value result = {.bits = bits};
  for (unsigned k = 0; k < count; k++)
    known &= in[k].known;
  if (known)
    result = evaluate(i, in, count, bits, known, warp->scratch[0]);
  if (has_anchors(in, count)) {
    Anchor *anchors = warp->anchor_scratch;
    for (unsigned lane = 0; lane < WARP; lane++)
      if (!(result.known >> lane & 1) ||
          !anchor_integer(emulation, i, in, count, lane, &anchors[lane]))
        anchors[lane] = result.known >> lane & 1 ? NO_ANCHOR : 0;
    anchor_lanes(&result, anchors);
  }
  return with_unknown_lanes(emulation, i, result, in, count);
}
