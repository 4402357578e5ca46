// Sums that may be extended before they are added.
//
//   zext(256 * x + t)    becomes    256 * zext(x) + zext(t)
//
// where the bounds of a query say that the sum does not wrap.  The stride of a
// grid of known blocks is 256 * n in 32 bits, and zext(256 * n) * k is a
// product of two unknowns of which solvers do not know that n * k is one, too.
// Behind this it is 256 * (n * k).  A sum that is a factor stays one unknown.
// What is cut to fewer bits, and fits into them, is extended as it was.
//
// That the sum does not wrap, and that nothing is cut off, is kept as a fact,
// as of signs.

#include "smt/bounds.h"
#include "translator/expr.h"

#include <math.h>

static void state_bits(const Widening *to, Expr *e, unsigned bits) {
  Task *task = to->task;
  Expr *most = expr_const(task, e->width, expr_mask(bits));
  Expr *fact = expr_binary(task, EXPR_ULE, e, most);
  if (!expr_map_get(to->stated, fact))
    push(&task->arena, to->facts, fact);
  expr_map_put(task, to->stated, fact, fact);
}

static Expr *whole(const Widening *to, const Expr *e, unsigned width) {
  Expr *a = smt_extended(to, e->args[0], width);
  Expr *b = smt_extended(to, e->args[1], width);
  Expr *sum = expr_binary(to->task, e->op, a, b);
  state_bits(to, sum, e->width);
  return sum;
}

// A product of unknowns stays one, as a factor of others.  The greatest number
// of more than 64 bits is no constant.
static bool is_sum(const Expr *e) {
  return e->width <= 64 && (e->op == EXPR_ADD ||
                            (e->op == EXPR_MUL && expr_is_const(e->args[1])));
}

// The low bits of what has no others.
static bool is_whole(const Widening *to, const Expr *e) {
  return e->op == EXPR_EXTRACT && e->value == 0 &&
         to->bounds->at[e->args[0]->id].plain.high < ldexp(1, (int)e->width);
}

// What a cut or an extension with zeros has of the number.
static Expr *uncut(const Widening *to, Expr *e, unsigned width) {
  while (e->op == EXPR_ZEXT ||
         (is_whole(to, e) && e->args[0]->width <= width)) {
    if (e->op == EXPR_EXTRACT)
      state_bits(to, expr_map_get(to->plain, e->args[0]), e->width);
    e = e->args[0];
  }
  return e;
}

Expr *smt_extended(const Widening *to, Expr *e, unsigned width) {
  e = uncut(to, e, width);
  return is_sum(e) && to->bounds->at[e->id].fits
             ? whole(to, e, width)
             : expr_zext(to->task, expr_map_get(to->plain, e), width);
}

Expr *smt_factor(const Widening *to, Expr *e, unsigned width) {
  while (e->op == EXPR_ZEXT)
    e = e->args[0];
  bool is_scaled = e->op == EXPR_MUL && expr_is_const(e->args[1]);
  if (!is_scaled || e->width > 64 || !to->bounds->at[e->id].fits)
    return expr_zext(to->task, expr_map_get(to->plain, e), width);
  return expr_mul(to->task, smt_factor(to, e->args[0], width),
                  expr_const(to->task, width, e->args[1]->value));
}
