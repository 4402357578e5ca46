// The integer instructions of PTX, for the lanes of a warp.
//
// What is linear in the operands is computed on base and stride, for all lanes
// at once; an operand that has to be extended first is still a line if no lane
// wraps around.  The rest is computed lane by lane (ptx/integer.c).

#include "barriers/emulate/emulate.h"

#include <assert.h>

// ----------------------------------------------------------- whole warps ---

// A value as 64-bit numbers base + stride * lane, if it is one when it is read
// as `type`.
typedef struct Line {
  uint64_t base, stride;
} Line;

static bool line_of(const WarpValue *value, PtxType type, bool must_extend,
                    Line *line) {
  if (value->kind != VALUE_AFFINE || value->bits < type.bits)
    return false;
  if (!must_extend || type.bits == 64) {
    *line = (Line){value->base, value->stride};
    return true;
  }
  uint64_t stride = sign_extend(value->stride, type.bits);
  uint64_t first = integer_typed(type, value->base);
  uint64_t last = integer_typed(type, value->base + value->stride * (WARP - 1));
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

static bool product_line(const PtxInstruction *i, const WarpValue *in,
                         Line *result) {
  Line a, b;
  return i->part != CHOICE_HIGH && line_of(&in[0], i->type, i->is_wide, &a) &&
         line_of(&in[1], i->type, i->is_wide, &b) && line_product(a, b, result);
}

static bool sum_line(const PtxInstruction *i, const WarpValue *in,
                     Line *result) {
  Line a, b;
  if (i->is_saturating || !line_of(&in[0], i->type, false, &a) ||
      !line_of(&in[1], i->type, false, &b))
    return false;
  bool is_sub = i->opcode->function == integer_sub;
  *result = line_add(a, is_sub ? line_scale(b, UINT64_MAX) : b);
  return true;
}

static bool mad_line(const PtxInstruction *i, const WarpValue *in,
                     Line *result) {
  PtxType sum = i->type;
  sum.bits = (uint8_t)(i->is_wide ? 2 * sum.bits : sum.bits);
  Line product, addend;
  if (i->is_saturating || !product_line(i, in, &product) ||
      !line_of(&in[2], sum, false, &addend))
    return false;
  *result = line_add(product, addend);
  return true;
}

static bool shift_line(const PtxInstruction *i, const WarpValue *in,
                       Line *result) {
  Line a;
  if (in[1].kind != VALUE_AFFINE || in[1].stride ||
      !line_of(&in[0], i->type, false, &a))
    return false;
  uint64_t by = value_lane(&in[1], 0) & UINT32_MAX;
  *result =
      by >= i->type.bits ? (Line){0, 0} : line_scale(a, UINT64_C(1) << by);
  return true;
}

static bool cvt_line(const PtxInstruction *i, const WarpValue *in,
                     Line *result) {
  bool must_extend = i->type.bits > i->second.bits;
  return !i->is_saturating && line_of(&in[0], i->second, must_extend, result);
}

static bool linear(const PtxInstruction *i, const WarpValue *in, Line *result) {
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

static bool one_lane(const PtxInstruction *i, const WarpValue *in,
                     unsigned count, unsigned lane, uint64_t *out) {
  uint64_t numbers[4] = {0};
  assert(count <= 4);
  for (unsigned k = 0; k < count; k++)
    numbers[k] = value_lane(&in[k], lane);
  bool is_good = i->opcode->function(i, numbers, out);
  *out = integer_typed(result_type(i), *out);
  return is_good;
}

// ------------------------------------------------------------- all lanes ---

// The number of each lane as its type says, for loops that do one thing.
static void expand(PtxType type, const WarpValue *value, uint64_t at[WARP]) {
  uint64_t mask = bits_mask(type.bits < value->bits ? type.bits : value->bits);
  uint64_t sign = ptx_is_signed(type) ? UINT64_C(1) << (type.bits - 1) : 0;
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
    uint64_t fill =
        ptx_is_signed(type) && (int64_t)a[lane] < 0 ? UINT64_MAX : 0;
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

static void select_lanes(const PtxInstruction *i, const WarpValue *in,
                         uint64_t out[WARP]) {
  uint64_t first[WARP], second[WARP], which[WARP];
  PtxType plain = {'b', i->type.bits};
  expand(plain, &in[0], first);
  expand(plain, &in[1], second);
  expand((PtxType){'b', 1}, &in[2], which);
  for (unsigned lane = 0; lane < WARP; lane++)
    out[lane] =
        integer_typed(i->type, which[lane] ? first[lane] : second[lane]);
}

// What integer_<name> computes one by one, of all lanes at once.
static bool all_lanes(const PtxInstruction *i, const WarpValue *in,
                      unsigned count, uint64_t out[WARP]) {
  IntegerFunction *function = i->opcode->function;
  PtxType result = result_type(i);
  bool is_shift = function == integer_shl || function == integer_shr;
  uint64_t first[WARP], second[WARP];
  if (function == integer_selp && count == 3) {
    select_lanes(i, in, out);
    return true;
  }
  if (count != 2 || integer_saturates(i) || i->part == CHOICE_HIGH)
    return false;
  expand(i->type, &in[0], first);
  expand(is_shift ? (PtxType){'u', 32} : i->type, &in[1], second);
  if (!compute_pair(i, first, second))
    return false;
  for (unsigned lane = 0; lane < WARP; lane++)
    out[lane] = integer_typed(result, first[lane]);
  return true;
}

// Lanes of an unknown result that are no generic address of shared memory, nor
// computed from one.
static uint32_t still_elsewhere(const Emulation *emulation, const WarpValue *in,
                                unsigned count) {
  uint32_t lanes = UINT32_MAX;
  for (unsigned k = 0; k < count; k++)
    lanes &= anchor_elsewhere(emulation, &in[k]);
  return lanes;
}

// Equal operands give equal results, where there is one.
static uint32_t alike_results(const WarpValue *in, unsigned count) {
  uint32_t known = UINT32_MAX, alike = UINT32_MAX;
  for (unsigned k = 0; k < count; k++) {
    known &= in[k].known;
    alike &= value_alike(&in[k]);
  }
  return alike & ~known;
}

static WarpValue with_unknown_lanes(const Emulation *emulation,
                                    const PtxInstruction *i, WarpValue result,
                                    const WarpValue *in, unsigned count) {
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

static bool are_all_uniform(const WarpValue *in, unsigned count) {
  for (unsigned k = 0; k < count; k++)
    if (in[k].kind != VALUE_AFFINE || in[k].stride)
      return false;
  return true;
}

// The numbers, wherever variables are.
static WarpValue evaluate(const PtxInstruction *i, const WarpValue *in,
                          unsigned count, unsigned bits, uint32_t known,
                          uint64_t *scratch) {
  Line line;
  WarpValue result = {.bits = bits};
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

static bool has_anchors(const WarpValue *in, unsigned count) {
  for (unsigned k = 0; k < count; k++)
    if (in[k].is_anchored)
      return true;
  return false;
}

WarpValue integer_evaluate(const Emulation *emulation, const PtxInstruction *i,
                           const WarpValue *in, unsigned count, unsigned bits,
                           Warp *warp) {
  uint32_t known = UINT32_MAX;
  WarpValue result = {.bits = bits};
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
