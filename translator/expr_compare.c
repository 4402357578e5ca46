// Comparisons: equality, and order with and without sign.
//
// Two forms of one question should be one expression.  Equations go through
// the linear form, so a + 3 == b + 3 is a == b; extensions are taken off both
// sides; an order against a constant is `x < c` or `c <= x`, of which each is
// the other's negation; and ranges that are plain from the form (a value of
// eight bits is below 300) decide some outright.

#include "translator/expr.h"

#include <assert.h>

enum { CHOICE_DEPTH = 16 };

static Expr *equal_booleans(Task *task, Expr *a, Expr *b) {
  if (expr_is_const(b))
    return b->value ? a : expr_not(task, a);
  if (boolean_is_negation(a, b))
    return expr_bool(task, false);
  bool is_flipped = (a->op == EXPR_NOT) != (b->op == EXPR_NOT);
  if (a->op == EXPR_NOT)
    a = a->args[0];
  if (b->op == EXPR_NOT)
    b = b->args[0];
  Expr *equal = expr_ordered(task, EXPR_EQ, a, b);
  return is_flipped ? expr_not(task, equal) : equal;
}

// Extensions keep values apart, so widened values are compared unwidened.
static Expr *equal_extensions(Task *task, Expr *a, Expr *b) {
  if (a->op != EXPR_ZEXT && a->op != EXPR_SEXT)
    return NULL;
  Expr *narrow = a->args[0];
  if (b->op == a->op && b->args[0]->width == narrow->width)
    return expr_eq(task, narrow, b->args[0]);
  if (!expr_is_const(b))
    return NULL;
  Expr *low = expr_extract(task, b, 0, narrow->width);
  Expr *again = a->op == EXPR_ZEXT ? expr_zext(task, low, a->width)
                                   : expr_sext(task, low, a->width);
  if (!expr_is_const(again))
    return NULL;
  return again == b ? expr_eq(task, narrow, low) : expr_bool(task, false);
}

static Expr *equal_within(Task *task, Expr *a, Expr *b, unsigned depth);

// (c ? k1 : x) == k2.
static Expr *equal_choice(Task *task, Expr *a, Expr *b, unsigned depth) {
  if (depth == 0 || a->op != EXPR_ITE || !expr_is_const(b))
    return NULL;
  if (!expr_is_const(a->args[1]) && !expr_is_const(a->args[2]))
    return NULL;
  return expr_ite(task, a->args[0],
                  equal_within(task, a->args[1], b, depth - 1),
                  equal_within(task, a->args[2], b, depth - 1));
}

// j ^ x and j ^ y are equal if x and y are.
static Expr *equal_masked(Task *task, const Expr *a, const Expr *b) {
  for (unsigned i = 0; a->op == EXPR_XOR && b->op == EXPR_XOR && i < 4; i++)
    if (a->args[i & 1] == b->args[i >> 1])
      return expr_eq(task, a->args[!(i & 1)], b->args[!(i >> 1)]);
  return NULL;
}

static Expr *equal_within(Task *task, Expr *a, Expr *b, unsigned depth) {
  assert(a->width == b->width);
  if (a == b)
    return expr_bool(task, true);
  if (expr_is_const(a) && expr_is_const(b))
    return expr_bool(task, false);
  expr_constant_last(&a, &b);
  if (a->width == 1)
    return equal_booleans(task, a, b);
  bool always;
  if (expr_is_foldable(a) && linear_equal(task, &a, &b, &always))
    return expr_bool(task, always);
  Expr *simpler = equal_extensions(task, a, b);
  if (!simpler)
    simpler = equal_masked(task, a, b);
  if (!simpler)
    simpler = equal_choice(task, a, b, depth);
  if (!simpler && expr_is_foldable(a)) {
    PlainRange x = linear_range(a), y = linear_range(b);
    if (x.high < y.low || y.high < x.low)
      return expr_bool(task, false);
  }
  return simpler ? simpler : expr_node2(task, EXPR_EQ, 1, a, b);
}

Expr *expr_eq(Task *task, Expr *a, Expr *b) {
  if (!expr_is_foldable(a) && a->id > b->id)
    return equal_within(task, b, a, CHOICE_DEPTH);
  return equal_within(task, a, b, CHOICE_DEPTH);
}

static bool is_strict(ExprOp op) { return op == EXPR_ULT || op == EXPR_SLT; }

static bool is_signed(ExprOp op) { return op == EXPR_SLT || op == EXPR_SLE; }

static Expr *compare_booleans(Task *task, ExprOp op, Expr *a, Expr *b) {
  Expr *low = is_signed(op) ? b : a; // true is -1 where signs count
  Expr *high = is_signed(op) ? a : b;
  Expr *not_low = expr_not(task, low);
  return is_strict(op) ? expr_and(task, not_low, high)
                       : expr_or(task, not_low, high);
}

static Expr *compare_extensions(Task *task, ExprOp op, Expr *a, Expr *b) {
  if (a->op != b->op || (a->op != EXPR_ZEXT && a->op != EXPR_SEXT) ||
      a->args[0]->width != b->args[0]->width)
    return NULL;
  if (a->op == EXPR_ZEXT && is_signed(op))
    op = is_strict(op) ? EXPR_ULT : EXPR_ULE;
  return expr_binary(task, op, a->args[0], b->args[0]);
}

static Expr *compare_ranges(Task *task, ExprOp op, Expr *a, Expr *b) {
  PlainRange x = linear_range(a), y = linear_range(b);
  if (is_strict(op) ? x.high < y.low : x.high <= y.low)
    return expr_bool(task, true);
  if (is_strict(op) ? x.low >= y.high : x.low > y.high)
    return expr_bool(task, false);
  if (expr_is_number(b, 1) && op == EXPR_ULT)
    return expr_eq(task, a, expr_const(task, a->width, 0));
  if (expr_is_number(a, 1) && op == EXPR_ULE)
    return expr_not(task, expr_eq(task, b, expr_const(task, b->width, 0)));
  if (expr_is_number(a, 0) && op == EXPR_ULT)
    return expr_not(task, expr_eq(task, b, a));
  return NULL;
}

// What the signs alone decide.
static Expr *compare_signs(Task *task, Expr *a, Expr *b) {
  bool a_minus = linear_range(a).low >> (a->width - 1);
  bool b_minus = linear_range(b).low >> (b->width - 1);
  if (a_minus && linear_is_never_negative(b))
    return expr_bool(task, true);
  if (b_minus && linear_is_never_negative(a))
    return expr_bool(task, false);
  return NULL;
}

// Comparisons with a constant are `x < c` or `c <= x`, so that each has one
// form and its negation is the other.
static Expr *compare_constant(Task *task, ExprOp op, Expr *a, Expr *b) {
  unsigned width = a->width;
  uint64_t sign = is_signed(op) ? UINT64_C(1) << (width - 1) : 0;
  uint64_t highest = expr_mask(width) ^ sign, lowest = sign;
  bool is_empty = is_strict(op) &&
                  (expr_is_number(b, lowest) || expr_is_number(a, highest));
  bool is_full = !is_strict(op) &&
                 (expr_is_number(a, lowest) || expr_is_number(b, highest));
  if (is_empty || is_full)
    return expr_bool(task, is_full);
  if (expr_is_const(b) && !is_strict(op))
    return expr_binary(task, is_signed(op) ? EXPR_SLT : EXPR_ULT, a,
                       expr_const(task, width, b->value + 1));
  if (expr_is_const(a) && is_strict(op))
    return expr_binary(task, is_signed(op) ? EXPR_SLE : EXPR_ULE,
                       expr_const(task, width, a->value + 1), b);
  return NULL;
}

Expr *compare_expr(Task *task, ExprOp op, Expr *a, Expr *b) {
  if (a == b)
    return expr_bool(task, !is_strict(op));
  if (a->width == 1)
    return compare_booleans(task, op, a, b);
  Expr *simpler = compare_extensions(task, op, a, b);
  if (!simpler && expr_is_foldable(a)) {
    if (is_signed(op) && linear_is_never_negative(a) &&
        linear_is_never_negative(b))
      return compare_expr(task, is_strict(op) ? EXPR_ULT : EXPR_ULE, a, b);
    simpler = is_signed(op) ? compare_signs(task, a, b)
                            : compare_ranges(task, op, a, b);
    if (!simpler)
      simpler = compare_constant(task, op, a, b);
  }
  return simpler ? simpler : expr_node2(task, op, 1, a, b);
}
