// Parts and wholes: truncation, extension, concatenation.
//
// Front ends widen and narrow index arithmetic at every step.  Truncation
// moves down to the leaves, since the low bits of a sum or a product are the
// sum or product of low bits, and disappears where it meets an extension.
// How far it moves is bounded by a budget of nodes.

#include "translator/expr.h"

#include <assert.h>

enum { TRUNCATION_BUDGET = 64 };

static Expr *extract_within(Task *task, Expr *a, unsigned low, unsigned width,
                            unsigned *budget);

static Expr *extract_constant(Task *task, const Expr *a, unsigned low,
                              unsigned width) {
  return expr_const(task, width, low < 64 ? a->value >> low : 0);
}

static Expr *extract_extension(Task *task, Expr *a, unsigned low,
                               unsigned width, unsigned *budget) {
  Expr *narrow = a->args[0];
  bool has_sign = a->op == EXPR_SEXT;
  if (low + width <= narrow->width)
    return extract_within(task, narrow, low, width, budget);
  if (low >= narrow->width && !has_sign)
    return expr_const(task, width, 0);
  if (low >= narrow->width)
    low = narrow->width - 1;
  Expr *rest = extract_within(task, narrow, low, narrow->width - low, budget);
  return has_sign ? expr_sext(task, rest, width) : expr_zext(task, rest, width);
}

static Expr *extract_concat(Task *task, Expr *a, unsigned low, unsigned width,
                            unsigned *budget) {
  unsigned split = a->args[1]->width;
  if (low + width <= split)
    return extract_within(task, a->args[1], low, width, budget);
  if (low >= split)
    return extract_within(task, a->args[0], low - split, width, budget);
  return NULL;
}

static Expr *extract_shifted(Task *task, Expr *a, unsigned low, unsigned width,
                             unsigned *budget) {
  uint64_t shift = a->args[1]->value;
  if (!expr_is_const(a->args[1]) || shift >= a->width ||
      low + shift + width > a->width)
    return NULL;
  return extract_within(task, a->args[0], low + (unsigned)shift, width, budget);
}

// The low bits of these depend on the low bits of their arguments alone.
static Expr *truncate_binary(Task *task, Expr *a, unsigned width,
                             unsigned *budget) {
  Expr *x = extract_within(task, a->args[0], 0, width, budget);
  Expr *y = extract_within(task, a->args[1], 0, width, budget);
  return expr_binary(task, a->op, x, y);
}

// So do quotients and remainders of numbers that have no other bits: by 0 they
// are all ones, or what is divided, whatever the width.
static Expr *truncate_division(Task *task, Expr *a, unsigned width,
                               unsigned *budget) {
  for (unsigned i = 0; i < 2; i++)
    if (!expr_is_foldable(a) ||
        linear_range(a->args[i]).high > expr_mask(width))
      return NULL;
  return truncate_binary(task, a, width, budget);
}

static Expr *truncate_choice(Task *task, Expr *a, unsigned width,
                             unsigned *budget) {
  if (!expr_is_const(a->args[1]) && !expr_is_const(a->args[2]))
    return NULL;
  Expr *yes = extract_within(task, a->args[1], 0, width, budget);
  Expr *no = extract_within(task, a->args[2], 0, width, budget);
  return expr_ite(task, a->args[0], yes, no);
}

static Expr *extract_simpler(Task *task, Expr *a, unsigned low, unsigned width,
                             unsigned *budget) {
  switch (a->op) {
  case EXPR_CONST:
    return extract_constant(task, a, low, width);
  case EXPR_ZEXT:
  case EXPR_SEXT:
    return extract_extension(task, a, low, width, budget);
  case EXPR_EXTRACT:
    return extract_within(task, a->args[0], low + (unsigned)a->value, width,
                          budget);
  case EXPR_CONCAT:
    return extract_concat(task, a, low, width, budget);
  case EXPR_LSHR:
  case EXPR_ASHR:
    return extract_shifted(task, a, low, width, budget);
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR:
    return low == 0 ? truncate_binary(task, a, width, budget) : NULL;
  case EXPR_UDIV:
  case EXPR_UREM:
    return low == 0 ? truncate_division(task, a, width, budget) : NULL;
  case EXPR_NOT:
    return low == 0 ? expr_not(task, extract_within(task, a->args[0], 0, width,
                                                    budget))
                    : NULL;
  case EXPR_ITE:
    return low == 0 ? truncate_choice(task, a, width, budget) : NULL;
  case EXPR_SYMBOL:
  case EXPR_SDIV:
  case EXPR_SREM:
  case EXPR_SHL:
  case EXPR_EQ:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_APPLY:
  case EXPR_OPS:
    return NULL;
  }
  return NULL;
}

static Expr *extract_within(Task *task, Expr *a, unsigned low, unsigned width,
                            unsigned *budget) {
  if (low == 0 && width == a->width)
    return a;
  Expr *simpler = NULL;
  if (*budget > 0) {
    --*budget;
    simpler = extract_simpler(task, a, low, width, budget);
  }
  return simpler ? simpler : expr_node(task, EXPR_EXTRACT, width, low, &a, 1);
}

Expr *expr_extract(Task *task, Expr *a, unsigned low, unsigned width) {
  assert(width > 0 && low + width <= a->width);
  unsigned budget = TRUNCATION_BUDGET;
  return extract_within(task, a, low, width, &budget);
}

Expr *expr_zext(Task *task, Expr *a, unsigned width) {
  assert(width >= a->width);
  if (width == a->width)
    return a;
  if (expr_is_const(a))
    return expr_const(task, width, a->value);
  if (a->op == EXPR_ZEXT)
    a = a->args[0];
  return expr_node(task, EXPR_ZEXT, width, 0, &a, 1);
}

Expr *expr_sext(Task *task, Expr *a, unsigned width) {
  assert(width >= a->width);
  if (width == a->width)
    return a;
  if (linear_is_never_negative(a) || a->op == EXPR_ZEXT)
    return expr_zext(task, a, width);
  if (expr_is_const(a) && width <= MAX_FOLDED_WIDTH)
    return expr_const(task, width, a->value | ~expr_mask(a->width));
  if (a->op == EXPR_SEXT)
    a = a->args[0];
  return expr_node(task, EXPR_SEXT, width, 0, &a, 1);
}

static bool are_neighbours(const Expr *high, const Expr *low) {
  return high->op == EXPR_EXTRACT && low->op == EXPR_EXTRACT &&
         high->args[0] == low->args[0] &&
         high->value == low->value + low->width;
}

Expr *expr_concat(Task *task, Expr *high, Expr *low) {
  unsigned width = high->width + low->width;
  if (expr_is_const(high) && expr_is_const(low) && width <= MAX_FOLDED_WIDTH)
    return expr_const(task, width, high->value << low->width | low->value);
  if (expr_is_number(high, 0))
    return expr_zext(task, low, width);
  if (are_neighbours(high, low))
    return expr_extract(task, low->args[0], (unsigned)low->value, width);
  return expr_node2(task, EXPR_CONCAT, width, high, low);
}

Expr *expr_to_width(Task *task, Expr *a, unsigned width, bool has_sign) {
  if (width <= a->width)
    return expr_extract(task, a, 0, width);
  return has_sign ? expr_sext(task, a, width) : expr_zext(task, a, width);
}
