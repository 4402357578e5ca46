// Formulas as their own bounds allow to write them.
//
// A stride is an int, and an index is computed of it in 64 bits: sext(s).  The
// same stride where it is known to be positive is zext(s), and to solvers
// products with the one are not products with the other.  The bounds of a query
// (bounds.c) mostly say that s is not negative.  Then the extension is zext,
// the order of signed numbers is that of plain ones, and so are quotients.
//
// A comparison that the bounds decide is true or false wherever another formula
// contains it, so that there are fewer cases.
//
// That s is not negative, and what was decided, is kept as a fact beside what
// is rewritten by it, so each model of the formulas is one of what is made of
// them.

#include "smt/bounds.h"
#include "translator/expr.h"

#include <math.h>

typedef struct Rewriting {
  Task *task;
  Exprs order; // all terms, arguments first
  BoundsTable bounds;
  ExprMap *plain;  // term -> what it is written as
  ExprMap *stated; // facts that are there
  Exprs facts;
} Rewriting;

static bool is_natural(const Rewriting *to, const Expr *e) {
  return to->bounds.at[e->id].two.low >= 0;
}

static void state(Rewriting *to, Expr *fact) {
  if (expr_is_true(fact) || expr_map_get(to->stated, fact))
    return;
  expr_map_put(to->task, to->stated, fact, fact);
  push(&to->task->arena, &to->facts, fact);
}

static void state_natural(Rewriting *to, Expr *e) {
  if (expr_is_const(e))
    return;
  Expr *zero = expr_const(to->task, e->width, 0);
  state(to, expr_binary(to->task, EXPR_SLE, zero, e));
}

static ExprOp plain_op(ExprOp op) {
  return op == EXPR_SLT    ? EXPR_ULT
         : op == EXPR_SLE  ? EXPR_ULE
         : op == EXPR_SDIV ? EXPR_UDIV
         : op == EXPR_SREM ? EXPR_UREM
                           : op;
}

static bool has_no_sign(const Rewriting *to, const Expr *e) {
  for (unsigned i = 0; i < e->count; i++)
    if (e->args[i]->width == 1 || !is_natural(to, e->args[i]))
      return false;
  return true;
}

static Widening widening(Rewriting *to) {
  return (Widening){.task = to->task,
                    .bounds = &to->bounds,
                    .plain = to->plain,
                    .stated = to->stated,
                    .facts = &to->facts};
}

static Expr *extended(Rewriting *to, const Expr *e) {
  const Widening by = widening(to);
  return smt_extended(&by, e->args[0], e->width);
}

// Does it extend its argument with zeros?
static bool is_extension(const Rewriting *to, const Expr *e) {
  return e->op == EXPR_ZEXT || (e->op == EXPR_SEXT && has_no_sign(to, e));
}

static Expr *product(Rewriting *to, const Expr *e, Expr **args) {
  const Widening by = widening(to);
  bool is_of_unknowns = !expr_is_const(e->args[1]);
  for (unsigned i = 0; i < 2 && is_of_unknowns; i++)
    if (is_extension(to, e->args[i]))
      args[i] = smt_factor(&by, e->args[i]->args[0], e->width);
  return expr_mul(to->task, args[0], args[1]);
}

// `args` are its arguments as they are written.
static Expr *by_parts(Rewriting *to, const Expr *e, Expr **args) {
  Task *task = to->task;
  bool is_signed = e->op == EXPR_SEXT || plain_op(e->op) != e->op;
  if (e->op == EXPR_ZEXT)
    return extended(to, e);
  if (e->op == EXPR_MUL)
    return product(to, e, args);
  if (!is_signed || !has_no_sign(to, e))
    return expr_rebuild(task, e, args);
  for (unsigned i = 0; i < e->count; i++)
    state_natural(to, args[i]);
  return e->op == EXPR_SEXT
             ? extended(to, e)
             : expr_binary(task, plain_op(e->op), args[0], args[1]);
}

static bool is_unknown(const Expr *e) {
  return e->op == EXPR_SYMBOL ||
         (e->op == EXPR_EXTRACT && e->args[0]->op == EXPR_SYMBOL);
}

// The constant that a formula or an unknown is by its bounds, which becomes a
// fact; else it is `written`.
static Expr *decided(Rewriting *to, const Expr *e, Expr *written) {
  enum { EXACT_BITS = 52 };
  Interval value = to->bounds.at[e->id].plain;
  if ((e->width > 1 && !is_unknown(e)) || value.low != value.high ||
      value.high >= ldexp(1, EXACT_BITS))
    return written;
  Expr *number = expr_const(to->task, e->width, (uint64_t)value.low);
  state(to, expr_eq(to->task, written, number));
  return number;
}

static void rewrite(Rewriting *to, Expr *e) {
  enum { MOST_ARGUMENTS = 8 };
  Expr *args[MOST_ARGUMENTS], *written = e;
  bool is_small = e->count && e->count <= MOST_ARGUMENTS && e->op != EXPR_APPLY;
  for (unsigned i = 0; is_small && i < e->count; i++)
    args[i] = expr_map_get(to->plain, e->args[i]);
  if (is_small)
    written = by_parts(to, e, args);
  expr_map_put(to->task, to->plain, e, decided(to, e, written));
}

static void add_terms(Rewriting *to, const Exprs *formulas, ExprMap *seen) {
  for (size_t i = 0; i < formulas->count; i++)
    expr_order(to->task, formulas->at[i], seen, &to->order);
}

// Each formula is one that its own bounds decide.
static Exprs rewritten(Task *task, const Exprs *formulas, Exprs *lemmas) {
  Rewriting to = {
      .task = task, .plain = expr_map_new(task), .stated = expr_map_new(task)};
  ExprMap *seen = expr_map_new(task);
  add_terms(&to, formulas, seen);
  const size_t own = to.order.count;
  add_terms(&to, lemmas, seen);
  bounds_find(task, formulas, &to.order, &to.bounds);
  for (size_t i = 0; i < own; i++)
    rewrite(&to, to.order.at[i]);
  for (size_t i = 0; i < formulas->count; i++)
    state(&to, expr_map_get(to.plain, formulas->at[i]));
  const Exprs facts = to.facts; // without what lemmas are rewritten by
  for (size_t i = own; i < to.order.count; i++)
    rewrite(&to, to.order.at[i]);
  for (size_t i = 0; i < lemmas->count; i++)
    lemmas->at[i] = expr_map_get(to.plain, lemmas->at[i]);
  return facts;
}

static bool are_equal(const Exprs *a, const Exprs *b) {
  bool is_equal = a->count == b->count;
  for (size_t i = 0; is_equal && i < a->count; i++)
    is_equal = a->at[i] == b->at[i];
  return is_equal;
}

Exprs smt_rewrite(Task *task, const Exprs *formulas, Exprs *lemmas) {
  enum { MOST_ROUNDS = 3 };
  Exprs from = *formulas, to = rewritten(task, &from, lemmas);
  for (unsigned i = 1; i < MOST_ROUNDS && !are_equal(&from, &to); i++) {
    from = to;
    to = rewritten(task, &from, lemmas);
  }
  return to;
}
