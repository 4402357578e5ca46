// Signs that never show.
//
// A stride is an int, and an index is computed of it in 64 bits: sext(s).  The
// same stride where it is known to be positive is zext(s), and to solvers
// products with the one are not products with the other.  The bounds of a query
// (bounds.c) mostly say that s is not negative.  Then the extension is zext,
// the order of signed numbers is that of plain ones, and so are quotients.
//
// That s is not negative is kept as a fact beside what is rewritten by it, so
// each model of the formulas is one of what is made of them.
//
// A product x * y that is computed in few bits has the bounds of the same
// product in more bits, where that fits: launches limit the latter.

#include "smt/bounds.h"
#include "translator/expr.h"

#include <math.h>

typedef struct Signs {
  Task *task;
  Exprs order; // all terms, arguments first
  BoundsTable bounds;
  ExprMap *plain;  // term -> what it is without signs
  ExprMap *stated; // terms of which the fact is there
  Exprs *to;
} Signs;

static const Expr *peel(const Expr *e) {
  while (e->op == EXPR_ZEXT)
    e = e->args[0];
  return e;
}

// Is `wide` the product of the same factors, in more bits?
static bool is_twin(const Expr *narrow, const Expr *wide) {
  if (wide->op != EXPR_MUL || wide->width <= narrow->width)
    return false;
  const Expr *a = peel(wide->args[0]), *b = peel(wide->args[1]);
  const Expr *x = peel(narrow->args[0]), *y = peel(narrow->args[1]);
  return (a == x && b == y) || (a == y && b == x);
}

static double most_of(const Signs *signs, const Expr *e) {
  double most = signs->bounds.at[e->id].plain.high;
  for (size_t i = 0; e->op == EXPR_MUL && i < signs->order.count; i++) {
    const Expr *wide = signs->order.at[i];
    if (is_twin(e, wide))
      most = fmin(most, signs->bounds.at[wide->id].plain.high);
  }
  return most;
}

static bool is_natural(const Signs *signs, const Expr *e) {
  return signs->bounds.at[e->id].two.low >= 0 ||
         most_of(signs, e) < ldexp(1, (int)e->width - 1);
}

static void state(Signs *signs, Expr *e) {
  Task *task = signs->task;
  if (expr_is_const(e) || expr_map_get(signs->stated, e))
    return;
  expr_map_put(task, signs->stated, e, e);
  push(&task->arena, signs->to,
       expr_binary(task, EXPR_SLE, expr_const(task, e->width, 0), e));
}

static ExprOp plain_op(ExprOp op) {
  return op == EXPR_SLT    ? EXPR_ULT
         : op == EXPR_SLE  ? EXPR_ULE
         : op == EXPR_SDIV ? EXPR_UDIV
         : op == EXPR_SREM ? EXPR_UREM
                           : op;
}

static bool has_no_sign(const Signs *signs, const Expr *e) {
  for (unsigned i = 0; i < e->count; i++)
    if (e->args[i]->width == 1 || !is_natural(signs, e->args[i]))
      return false;
  return true;
}

// `args` are its arguments without signs.
static Expr *without_sign(Signs *signs, const Expr *e, Expr **args) {
  Task *task = signs->task;
  bool is_signed = e->op == EXPR_SEXT || plain_op(e->op) != e->op;
  if (!is_signed || !has_no_sign(signs, e))
    return expr_rebuild(task, e, args);
  for (unsigned i = 0; i < e->count; i++)
    state(signs, args[i]);
  return e->op == EXPR_SEXT
             ? expr_zext(task, args[0], e->width)
             : expr_binary(task, plain_op(e->op), args[0], args[1]);
}

static void rewrite(Signs *signs, Expr *e) {
  enum { MOST_ARGUMENTS = 8 };
  Expr *args[MOST_ARGUMENTS], *plain = e;
  bool is_small = e->count && e->count <= MOST_ARGUMENTS;
  for (unsigned i = 0; is_small && i < e->count; i++)
    args[i] = expr_map_get(signs->plain, e->args[i]);
  if (is_small)
    plain = without_sign(signs, e, args);
  expr_map_put(signs->task, signs->plain, e, plain);
}

Exprs smt_without_signs(Task *task, const Exprs *formulas) {
  Exprs to = {0};
  Signs signs = {.task = task,
                 .plain = expr_map_new(task),
                 .stated = expr_map_new(task),
                 .to = &to};
  ExprMap *seen = expr_map_new(task);
  for (size_t i = 0; i < formulas->count; i++)
    expr_order(task, formulas->at[i], seen, &signs.order);
  bounds_find(task, formulas, &signs.order, &signs.bounds);
  for (size_t i = 0; i < signs.order.count; i++)
    rewrite(&signs, signs.order.at[i]);
  for (size_t i = 0; i < formulas->count; i++)
    push(&task->arena, &to, expr_map_get(signs.plain, formulas->at[i]));
  return to;
}
