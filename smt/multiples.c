// Sizes that are multiples of a number.
//
//   x % 32 == 0    becomes    x == 32 * q    with q <= (2^w - 1) / 32
//
// and x / 32 becomes q.  A block of whole warps has x / 32 of them, and a
// thread finds its row by that number of warps and its own, t / 32, which is
// below it.  To solvers x and x / 32 are two unknowns, and so are their
// products with the grid's size, of which only one has a bound.
//
// The product cannot wrap, so all that is known of x / 32 and x % 32 is true of
// q and 0; and what has a model without q has one with it, the quotient.

#include "smt/smt.h"
#include "translator/expr.h"

typedef struct Multiple {
  Expr *symbol;
  uint64_t of;
  Expr *quotient;
} Multiple;

typedef struct Multiples {
  Task *task;
  Vec(Multiple) all;
  ExprMap *rewritten; // term -> what it is over quotients
} Multiples;

// ------------------------------------------------------------------ facts ---

// Of which number the fact says that a symbol is a multiple; 0: of none.
static uint64_t divisor_in(const Expr *fact, Expr **symbol) {
  if (fact->op != EXPR_EQ || fact->args[0]->width > 64)
    return 0;
  bool is_left = expr_is_const(fact->args[0]);
  const Expr *zero = fact->args[!is_left], *rest = fact->args[is_left];
  if (!expr_is_const(zero) || zero->value || rest->count != 2 ||
      !expr_is_const(rest->args[1]) || rest->args[0]->op != EXPR_SYMBOL)
    return 0;
  uint64_t number = rest->args[1]->value;
  *symbol = rest->args[0];
  if (rest->op == EXPR_UREM)
    return number;
  bool is_mask = rest->op == EXPR_AND && !(number & (number + 1));
  return is_mask ? number + 1 : 0;
}

static Multiple *multiple_of(const Multiples *to, const Expr *symbol) {
  for (size_t i = 0; i < to->all.count; i++)
    if (to->all.at[i].symbol == symbol)
      return &to->all.at[i];
  return NULL;
}

static void find_multiple(Multiples *to, const Expr *fact) {
  Expr *symbol;
  uint64_t of = divisor_in(fact, &symbol);
  if (of < 2)
    return;
  Multiple *old = multiple_of(to, symbol);
  if (!old)
    push(&to->task->arena, &to->all, ((Multiple){symbol, of, NULL}));
  else if (old->of < of)
    old->of = of;
}

static void make_quotient(Task *task, Multiple *of) {
  Symbol *quotient = NEW(task_lasting(task), Symbol);
  *quotient = *of->symbol->symbol;
  quotient->expr = NULL;
  quotient->name = arena_printf(task_lasting(task), "(%s / %llu)",
                                quotient->name, (unsigned long long)of->of);
  of->quotient = expr_symbol(task, quotient);
}

// ------------------------------------------------------------------ terms ---

static Expr *times(Task *task, Expr *e, uint64_t number) {
  return expr_mul(task, e, expr_const(task, e->width, number));
}

// What x / number is if one of both divides the other, else NULL.
static Expr *divided(Task *task, const Multiple *x, uint64_t number) {
  Expr *q = x->quotient;
  if (number && x->of % number == 0)
    return times(task, q, x->of / number);
  if (number && number % x->of == 0)
    return expr_binary(task, EXPR_UDIV, q,
                       expr_const(task, q->width, number / x->of));
  return NULL;
}

static Expr *remainder_of(Task *task, const Multiple *x, uint64_t number) {
  Expr *q = x->quotient;
  if (number && !(x->of % number))
    return expr_const(task, q->width, 0);
  if (!number || number % x->of)
    return NULL;
  Expr *rest = expr_binary(task, EXPR_UREM, q,
                           expr_const(task, q->width, number / x->of));
  return times(task, rest, x->of);
}

static Expr *over_quotient(Task *task, const Multiple *x, const Expr *e) {
  if (e->op == EXPR_ZEXT)
    return times(task, expr_zext(task, x->quotient, e->width), x->of);
  if (e->count != 2 || !expr_is_const(e->args[1]))
    return NULL;
  uint64_t number = e->args[1]->value;
  if (e->op == EXPR_UDIV)
    return divided(task, x, number);
  if (e->op == EXPR_UREM)
    return remainder_of(task, x, number);
  if (e->op == EXPR_LSHR && number < e->width)
    return divided(task, x, (uint64_t)1 << number);
  if (e->op == EXPR_AND && !(number & (number + 1)))
    return remainder_of(task, x, number + 1);
  return NULL;
}

// (x + k) / 2^n with k < 2^n, as (x + 31) / 32: k is all that is rounded off,
// for the last multiple of a power of two leaves room for it.
static Expr *rounded_up(const Multiples *to, const Expr *e) {
  const Expr *sum = e->count == 2 ? e->args[0] : NULL;
  if (e->op != EXPR_LSHR || sum->op != EXPR_ADD ||
      !expr_is_const(sum->args[1]) || !expr_is_const(e->args[1]))
    return NULL;
  const Multiple *x = multiple_of(to, sum->args[0]);
  uint64_t bits = e->args[1]->value, more = sum->args[1]->value;
  if (!x || bits >= e->width || x->of % ((uint64_t)1 << bits) || more >> bits)
    return NULL;
  return divided(to->task, x, (uint64_t)1 << bits);
}

static Expr *part_of_multiple(const Multiples *to, const Expr *e) {
  const Multiple *x = e->count ? multiple_of(to, e->args[0]) : NULL;
  return x ? over_quotient(to->task, x, e) : rounded_up(to, e);
}

static Expr *rewritten(Multiples *to, Expr *e) {
  const Multiple *x = multiple_of(to, e);
  if (x)
    return times(to->task, x->quotient, x->of);
  Expr *known = part_of_multiple(to, e);
  if (known || !e->count)
    return known ? known : e;
  Expr **args = arena_alloc(&to->task->arena, e->count * sizeof *args);
  for (unsigned i = 0; i < e->count; i++)
    args[i] = expr_map_get(to->rewritten, e->args[i]);
  return expr_rebuild(to->task, e, args);
}

static void define(Multiples *to, const Multiple *x, Exprs *definitions,
                   Exprs *formulas) {
  Task *task = to->task;
  Expr *q = x->quotient;
  Expr *most = expr_const(task, q->width, expr_mask(q->width) / x->of);
  push(&task->arena, definitions,
       expr_eq(task, x->symbol, times(task, q, x->of)));
  push(&task->arena, formulas, expr_binary(task, EXPR_ULE, q, most));
}

Exprs smt_multiples(Task *task, const Exprs *formulas, Exprs *definitions) {
  Multiples to = {.task = task, .rewritten = expr_map_new(task)};
  ExprMap *seen = expr_map_new(task);
  Exprs order = {0}, all = {0};
  for (size_t i = 0; i < formulas->count; i++)
    find_multiple(&to, formulas->at[i]);
  if (!to.all.count)
    return *formulas;
  for (size_t i = 0; i < to.all.count; i++)
    make_quotient(task, &to.all.at[i]);
  for (size_t i = 0; i < formulas->count; i++)
    expr_order(task, formulas->at[i], seen, &order);
  for (size_t i = 0; i < order.count; i++)
    expr_map_put(task, to.rewritten, order.at[i], rewritten(&to, order.at[i]));
  for (size_t i = 0; i < to.all.count; i++)
    define(&to, &to.all.at[i], definitions, &all);
  for (size_t i = 0; i < formulas->count; i++) {
    Expr *formula = expr_map_get(to.rewritten, formulas->at[i]);
    if (!expr_is_true(formula))
      push(&task->arena, &all, formula);
  }
  return all;
}
