// Which bytes of an array an access can be to at most.
//
// From what the launch says of ids and sizes alone, whatever the guard: enough
// for members of one struct in shared memory, and for arrays of one element a
// warp.  An offset whose computation may wrap is anything.

#include "translator/expr.h"
#include "translator/pair.h"

typedef struct Range {
  uint64_t low, high; // natural numbers
} Range;

typedef struct RangeWalk {
  const Kernel *kernel;
  unsigned left; // terms that are still looked at
} RangeWalk;

enum { MOST_SIZES = 2, MOST_TERMS = 100 };

static Range anything(unsigned width) {
  return (Range){0, width < 64 ? expr_mask(width) : UINT64_MAX};
}

static bool is_anything(Range range, unsigned width) {
  return range.low == 0 && range.high == anything(width).high;
}

// What a fact says that it is below.
static const Expr *limit_said(const Expr *fact, const Symbol *symbol) {
  if (fact->op != EXPR_ULT)
    return NULL;
  const Expr *small = expr_without_extension(fact->args[0]);
  return small->op == EXPR_SYMBOL && small->symbol == symbol
             ? expr_without_extension(fact->args[1])
             : NULL;
}

// Below a number, or below a size that is below one.
static uint64_t most_of(const Kernel *kernel, const Symbol *symbol,
                        unsigned sizes) {
  uint64_t most = anything(symbol->width).high;
  for (size_t i = 0; i < kernel->facts.count; i++) {
    const Expr *limit = limit_said(kernel->facts.at[i], symbol);
    uint64_t least = 0;
    if (limit && expr_is_const(limit))
      least = limit->value;
    else if (limit && limit->op == EXPR_SYMBOL && sizes)
      least = most_of(kernel, limit->symbol, sizes - 1);
    if (least && least - 1 < most)
      most = least - 1;
  }
  return most;
}

static Range added(Range a, Range b, unsigned width) {
  const uint64_t most = anything(width).high;
  return a.high > most - b.high ? anything(width)
                                : (Range){a.low + b.low, a.high + b.high};
}

static Range multiplied(Range a, Range b, unsigned width) {
  const uint64_t most = anything(width).high;
  return b.high && a.high > most / b.high
             ? anything(width)
             : (Range){a.low * b.low, a.high * b.high};
}

static Range divided(Range a, uint64_t by) {
  return (Range){a.low / by, a.high / by};
}

static Range below(Range a, uint64_t limit) {
  return (Range){0, a.high < limit ? a.high : limit - 1};
}

static Range range_of(RangeWalk *walk, const Expr *e);

static bool is_positive(uint64_t value, unsigned width) {
  return value < UINT64_C(1) << (width - 1);
}

// What is done with a number: divided, shifted, masked.  Of what is not below
// zero signed operations are as good as the others.
static Range range_by(const Expr *e, Range a, uint64_t number) {
  bool is_signed =
      e->op == EXPR_SDIV || e->op == EXPR_SREM || e->op == EXPR_ASHR;
  if (is_signed &&
      !(is_positive(a.high, e->width) && is_positive(number, e->width)))
    return anything(e->width);
  switch ((unsigned)e->op) {
  case EXPR_UDIV:
  case EXPR_SDIV:
    return number ? divided(a, number) : anything(e->width);
  case EXPR_UREM:
  case EXPR_SREM:
    return number ? below(a, number) : a;
  case EXPR_LSHR:
  case EXPR_ASHR:
    return number < e->width ? divided(a, UINT64_C(1) << number)
                             : (Range){0, 0};
  case EXPR_AND:
    return number < UINT64_MAX ? below(a, number + 1) : a;
  }
  return anything(e->width);
}

static Range resized(const Expr *e, Range a) {
  const unsigned width = e->args[0]->width;
  bool is_kept = e->op == EXPR_ZEXT ||
                 (e->op == EXPR_SEXT && is_positive(a.high, width)) ||
                 (e->op == EXPR_EXTRACT && e->value == 0 &&
                  a.high <= anything(e->width).high);
  return is_kept ? a : anything(e->width);
}

static Range range_of(RangeWalk *walk, const Expr *e) {
  if (e->width > 64 || !walk->left)
    return anything(e->width);
  walk->left--;
  if (expr_is_const(e))
    return (Range){e->value, e->value};
  if (e->op == EXPR_SYMBOL)
    return (Range){0, most_of(walk->kernel, e->symbol, MOST_SIZES)};
  if (e->op == EXPR_ZEXT || e->op == EXPR_SEXT || e->op == EXPR_EXTRACT)
    return resized(e, range_of(walk, e->args[0]));
  if (e->count != 2)
    return anything(e->width);
  const Range a = range_of(walk, e->args[0]);
  if (e->op == EXPR_ADD)
    return added(a, range_of(walk, e->args[1]), e->width);
  if (e->op == EXPR_MUL)
    return multiplied(a, range_of(walk, e->args[1]), e->width);
  return expr_is_const(e->args[1]) ? range_by(e, a, e->args[1]->value)
                                   : anything(e->width);
}

static Range offsets_of(const Kernel *kernel, const Access *access) {
  RangeWalk walk = {kernel, MOST_TERMS};
  return range_of(&walk, access->offset);
}

// The last byte of an access; false: nothing is known of it.
static bool find_end(const Access *access, Range offset, uint64_t *end) {
  if (!expr_is_const(access->length) || !access->length->value ||
      is_anything(offset, 64) ||
      access->length->value - 1 > UINT64_MAX - offset.high)
    return false;
  *end = offset.high + access->length->value - 1;
  return true;
}

bool accesses_are_apart(const Kernel *kernel, const Access *a,
                        const Access *b) {
  const Range one = offsets_of(kernel, a);
  const Range two = offsets_of(kernel, b);
  uint64_t end_of_one, end_of_two;
  return find_end(a, one, &end_of_one) && find_end(b, two, &end_of_two) &&
         (end_of_one < two.low || end_of_two < one.low);
}
