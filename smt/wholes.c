// Numbers that are put together of their digits.
//
// x / y == x' / y  and  x % y == x' % y  say that  x == x', for x is
// x / y * y + x % y, whatever y is.  Where the remainder of a multiple of y
// stands in between, as in x % 36 % 9, it is still that of x.

#include "smt/smt.h"
#include "translator/expr.h"

static bool is_rest(const Expr *e) {
  return e->op == EXPR_UREM || e->op == EXPR_SREM;
}

static ExprOp quotient_of(ExprOp rest) {
  return rest == EXPR_UREM ? EXPR_UDIV : EXPR_SDIV;
}

static ExprOp rest_of(ExprOp quotient) {
  return quotient == EXPR_UDIV ? EXPR_UREM : EXPR_SREM;
}

// Two remainders, or two quotients, of one divisor.
static bool are_digits(const Expr *a, const Expr *b) {
  return expr_is_division(a) && a->op == b->op && a->args[1] == b->args[1];
}

static bool says_digits(const Expr *e) {
  return e->op == EXPR_EQ && are_digits(e->args[0], e->args[1]);
}

// As a number with a sign, too.
static bool is_positive(const Expr *e) {
  return expr_is_const(e) && e->value && e->value <= expr_mask(e->width) >> 1;
}

// Of x % (k * y) by y it is that of x.
static bool has_same_rest(const Expr *e, ExprOp op, const Expr *by) {
  return e->op == op && is_positive(by) && is_positive(e->args[1]) &&
         e->args[1]->value % by->value == 0;
}

static Expr *rest_by(Task *task, ExprOp op, Expr *e, Expr *by) {
  while (has_same_rest(e, op, by))
    e = e->args[0];
  return expr_binary(task, op, e, by);
}

// Of what two quotients or remainders are of.
static Expr *equal_rests(Task *task, ExprOp op, const Expr *a, const Expr *b) {
  return expr_eq(task, rest_by(task, op, a->args[0], a->args[1]),
                 rest_by(task, op, b->args[0], b->args[1]));
}

// The other digits of what `e` says that one of two numbers is equal: their
// quotients, or their remainders, which may be those of other numbers, too;
// NULL: `e` says no such thing.
static Expr *other_digits(Task *task, const Expr *e) {
  if (!says_digits(e))
    return NULL;
  const Expr *a = e->args[0], *b = e->args[1];
  if (!is_rest(a))
    return equal_rests(task, rest_of(a->op), a, b);
  return expr_eq(task,
                 expr_binary(task, quotient_of(a->op), a->args[0], a->args[1]),
                 expr_binary(task, quotient_of(b->op), b->args[0], b->args[1]));
}

static void know(Task *task, ExprMap *known, Expr *e) {
  expr_map_put(task, known, e, e);
  if (says_digits(e) && is_rest(e->args[0]))
    expr_map_put(task, known,
                 equal_rests(task, e->args[0]->op, e->args[0], e->args[1]), e);
}

static bool join(Task *task, Exprs *facts, ExprMap *known) {
  bool has_more = false;
  for (size_t i = 0; i < facts->count; i++) {
    const Expr *e = facts->at[i];
    Expr *others = other_digits(task, e);
    if (!others || !expr_map_get(known, others))
      continue;
    Expr *wholes = expr_eq(task, e->args[0]->args[0], e->args[1]->args[0]);
    if (expr_map_get(known, wholes))
      continue;
    know(task, known, wholes);
    push(&task->arena, facts, wholes);
    has_more = true;
  }
  return has_more;
}

void wholes_join(Task *task, Exprs *facts) {
  ExprMap *known = expr_map_new(task);
  for (size_t i = 0; i < facts->count; i++)
    know(task, known, facts->at[i]);
  while (join(task, facts, known))
    ;
}
