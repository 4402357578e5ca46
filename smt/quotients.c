// Quotients that complete remainders.
//
//   z = i / (y_size * x_size), or i / y_size / x_size
//   y = i / x_size % y_size,   or i % (y_size * x_size) / x_size
//   x = i % x_size
//
// Programs take an element apart and put it together again,
//
//   (z * y_size + y) * x_size + x
//
// which is i: sums find that out if z is written as  i / x_size / y_size,  the
// quotient of which y is the remainder (translator/expr_linear.c).  The integer
// quotient by several divisors is one in whatever order they divide, and also
// if they are multiplied first.  In words of some bits that needs divisors that
// are not 0, products that do not wrap, and, where divisors have signs, no
// dividend below 0.  The bounds of a query say so, or nothing is done; what
// they said is kept as a fact.

#include "smt/bounds.h"
#include "translator/expr.h"

enum { MOST_DIVISORS = 8, MOST_REMAINDERS = 64, MOST_ROUNDS = 3 };

typedef struct Quotients {
  Task *task;
  Exprs order; // all terms, arguments first
  BoundsTable bounds;
  Exprs remainders; // among them
  ExprMap *written; // term -> what it is written as
  ExprMap *stated;  // facts that are there
  Exprs facts;
} Quotients;

// base / at[0] / at[1] / ..
typedef struct Chain {
  bool has_signs; // of what is divided and of divisors
  Expr *base;
  unsigned count;
  Expr *at[MOST_DIVISORS];
  Exprs facts; // why that is so
  bool is_unknown;
} Chain;

static Expr *is_not_zero(Task *task, Expr *e) {
  return expr_binary(task, EXPR_ULE, expr_const(task, e->width, 1), e);
}

static bool is_natural(const Quotients *to, const Expr *e) {
  return to->bounds.at[e->id].two.low >= 0;
}

// The product is the one over the integers.
static bool is_whole(const Quotients *to, const Expr *e, bool has_signs) {
  bool are_natural = is_natural(to, e) && is_natural(to, e->args[0]) &&
                     is_natural(to, e->args[1]);
  return to->bounds.at[e->id].fits && (are_natural || !has_signs);
}

static void because(const Quotients *to, Chain *chain, Expr *fact) {
  push(&to->task->arena, &chain->facts, fact);
}

static void because_natural(const Quotients *to, Chain *chain, Expr *e) {
  because(
      to, chain,
      expr_binary(to->task, EXPR_SLE, expr_const(to->task, e->width, 0), e));
}

static void because_whole(const Quotients *to, Chain *chain, const Expr *e) {
  Task *task = to->task;
  Expr *a = e->args[0], *b = e->args[1];
  Expr *whole = expr_mul(task, expr_zext(task, a, 2 * e->width),
                         expr_zext(task, b, 2 * e->width));
  Expr *narrow = expr_zext(task, expr_mul(task, a, b), 2 * e->width);
  because(to, chain, expr_eq(task, whole, narrow));
  if (!chain->has_signs)
    return;
  because_natural(to, chain, expr_mul(task, a, b));
  because_natural(to, chain, a);
  because_natural(to, chain, b);
}

static void divide(const Quotients *to, Chain *chain, Expr *by) {
  bool is_product = by->op == EXPR_MUL;
  chain->is_unknown |= chain->count == MOST_DIVISORS ||
                       to->bounds.at[by->id].plain.low < 1 ||
                       (is_product && !is_whole(to, by, chain->has_signs));
  if (chain->is_unknown)
    return;
  because(to, chain, is_not_zero(to->task, by));
  if (!is_product) {
    chain->at[chain->count++] = by;
    return;
  }
  because_whole(to, chain, by);
  divide(to, chain, by->args[0]);
  divide(to, chain, by->args[1]);
}

// `e` divided by `by`, with whatever divides it in `e`.
static Chain divided(const Quotients *to, ExprOp op, Expr *e, Expr *by) {
  Chain chain = {.has_signs = op == EXPR_SDIV};
  divide(to, &chain, by);
  for (; e->op == op; e = e->args[0])
    divide(to, &chain, e->args[1]);
  chain.base = e;
  return chain;
}

// If the signs matter, nothing but natural numbers are divided.
static Chain chain_of(const Quotients *to, ExprOp op, Expr *e, Expr *by) {
  Chain chain = divided(to, op, e, by);
  if (op == EXPR_SDIV) {
    chain.is_unknown |= !is_natural(to, chain.base);
    because_natural(to, &chain, chain.base);
  }
  return chain;
}

static bool take(Chain *chain, const Expr *divisor) {
  for (unsigned i = 0; i < chain->count; i++)
    if (chain->at[i] == divisor) {
      chain->at[i] = chain->at[--chain->count];
      return true;
    }
  return false;
}

static bool are_equal(Chain a, const Chain *b) {
  if (a.is_unknown || b->is_unknown || a.base != b->base)
    return false;
  for (unsigned i = 0; i < b->count; i++)
    if (!take(&a, b->at[i]))
      return false;
  return a.count == 0;
}

static void state(Quotients *to, Expr *fact) {
  if (expr_is_true(fact) || expr_map_get(to->stated, fact))
    return;
  expr_map_put(to->task, to->stated, fact, fact);
  push(&to->task->arena, &to->facts, fact);
}

static void state_all(Quotients *to, const Chain *chain) {
  for (size_t i = 0; i < chain->facts.count; i++)
    state(to, chain->facts.at[i]);
}

// ------------------------------------------------- quotients of quotients ---

static ExprOp remainder_of(ExprOp quotient) {
  return quotient == EXPR_SDIV ? EXPR_SREM : EXPR_UREM;
}

static bool is_completed(const Quotients *to, const Expr *quotient) {
  for (size_t i = 0; i < to->remainders.count; i++) {
    const Expr *rest = to->remainders.at[i];
    if (rest->op == remainder_of(quotient->op) &&
        rest->args[0] == quotient->args[0] &&
        rest->args[1] == quotient->args[1])
      return true;
  }
  return false;
}

// The same quotient by the divisor of some remainder; else NULL.
static Expr *completing(Quotients *to, const Expr *e) {
  const Chain own = chain_of(to, e->op, e->args[0], e->args[1]);
  if (own.is_unknown || is_completed(to, e))
    return NULL;
  for (size_t i = 0; i < to->remainders.count; i++) {
    const Expr *rest = to->remainders.at[i];
    if (rest->op != remainder_of(e->op))
      continue;
    const Chain other = chain_of(to, e->op, rest->args[0], rest->args[1]);
    if (!are_equal(own, &other))
      continue;
    state_all(to, &own);
    state_all(to, &other);
    return expr_binary(to->task, e->op, rest->args[0], rest->args[1]);
  }
  return NULL;
}

// ------------------------------------------------ quotients of remainders ---

// Of x % (a * b) divided by one of these: (x / a) % b; else NULL.
static Expr *of_remainder(Quotients *to, const Expr *e) {
  Expr *rest = e->args[0], *by = e->args[1];
  if (rest->op != remainder_of(e->op))
    return NULL;
  Expr *whole = rest->args[1];
  if (whole->op != EXPR_MUL || (whole->args[0] != by && whole->args[1] != by))
    return NULL;
  const Chain chain = chain_of(to, e->op, rest->args[0], whole);
  if (chain.is_unknown)
    return NULL;
  state_all(to, &chain);
  Expr *other = whole->args[whole->args[0] == by];
  return expr_binary(to->task, rest->op,
                     expr_binary(to->task, e->op, rest->args[0], by), other);
}

// -------------------------------------------------- quotients of multiples ---

enum { MOST_FACTORS = 8 };

typedef struct Factors {
  unsigned count;
  Expr *at[MOST_FACTORS];
  bool is_cut;
} Factors;

static void factorise(Factors *factors, Expr *e) {
  if (e->op == EXPR_MUL) {
    factorise(factors, e->args[0]);
    factorise(factors, e->args[1]);
  } else if (factors->count == MOST_FACTORS) {
    factors->is_cut = true;
  } else {
    factors->at[factors->count++] = e;
  }
}

static bool strike(Factors *factors, const Expr *e) {
  for (unsigned i = 0; i < factors->count; i++)
    if (factors->at[i] == e) {
      factors->at[i] = factors->at[--factors->count];
      return true;
    }
  return false;
}

// Does a multiple of the quotient by these divisors have its sign and no more
// digits?  It is between x and 0, so that is so but for -2^31 and what wraps
// to it.
static bool has_room(const Quotients *to, Expr *by, Chain *chain) {
  if (by->op != EXPR_MUL && chain->count == 1) // -2^31 / -1 comes back as well
    return true;
  if (is_natural(to, chain->base)) {
    because_natural(to, chain, chain->base);
    return true;
  }
  bool are_natural = is_natural(to, by);
  because_natural(to, chain, by);
  for (unsigned i = 0; i < chain->count; i++) {
    are_natural &= is_natural(to, chain->at[i]);
    because_natural(to, chain, chain->at[i]);
  }
  return are_natural;
}

// Of a * b * (x / b / a) divided by a * b: x / b / a.  If a * b wraps, that is
// 0, whatever it is divided by.
static Expr *of_multiple(Quotients *to, const Expr *e) {
  Factors multiple = {0}, by = {0};
  factorise(&multiple, e->args[0]);
  factorise(&by, e->args[1]);
  if (multiple.is_cut || by.is_cut || multiple.count != by.count + 1)
    return NULL;
  for (unsigned i = 0; i < by.count; i++)
    if (!strike(&multiple, by.at[i]))
      return NULL;
  Expr *quotient = multiple.at[0];
  if (quotient->op != e->op || to->bounds.at[e->args[1]->id].plain.low < 1)
    return NULL;
  Chain known = divided(to, e->op, quotient->args[0], quotient->args[1]);
  Chain chain = known;
  for (unsigned i = 0; i < by.count; i++)
    if (!take(&chain, by.at[i]))
      return NULL;
  if (known.is_unknown ||
      (e->op == EXPR_SDIV && !has_room(to, e->args[1], &known)))
    return NULL;
  state(to, is_not_zero(to->task, e->args[1]));
  state_all(to, &known);
  return quotient;
}

// ----------------------------------------------------------------- walks ---

static Expr *rewritten(Quotients *to, Expr *e) {
  enum { MOST_ARGUMENTS = 8 };
  Expr *args[MOST_ARGUMENTS];
  if (!e->count || e->count > MOST_ARGUMENTS || e->op == EXPR_APPLY)
    return e;
  if (e->op == EXPR_UDIV || e->op == EXPR_SDIV) {
    Expr *new = completing(to, e);
    if (!new)
      new = of_remainder(to, e);
    if (!new)
      new = of_multiple(to, e);
    if (new)
      return new;
  }
  for (unsigned i = 0; i < e->count; i++)
    args[i] = expr_map_get(to->written, e->args[i]);
  return expr_rebuild(to->task, e, args);
}

static void find_terms(Quotients *to, const Exprs *formulas) {
  ExprMap *seen = expr_map_new(to->task);
  for (size_t i = 0; i < formulas->count; i++)
    expr_order(to->task, formulas->at[i], seen, &to->order);
  for (size_t i = 0; i < to->order.count; i++) {
    Expr *e = to->order.at[i];
    bool is_rest = e->op == EXPR_UREM || e->op == EXPR_SREM;
    if (is_rest && to->remainders.count < MOST_REMAINDERS)
      push(&to->task->arena, &to->remainders, e);
  }
}

static bool write_anew(Task *task, Exprs *formulas) {
  Quotients to = {.task = task,
                  .written = expr_map_new(task),
                  .stated = expr_map_new(task)};
  bool has_changed = false;
  find_terms(&to, formulas);
  bounds_find(task, formulas, &to.order, &to.bounds);
  for (size_t i = 0; i < to.order.count; i++) {
    Expr *e = to.order.at[i], *new = rewritten(&to, e);
    expr_map_put(task, to.written, e, new);
    has_changed |= new != e;
  }
  if (!has_changed)
    return false;
  for (size_t i = 0; i < formulas->count; i++)
    state(&to, expr_map_get(to.written, formulas->at[i]));
  *formulas = to.facts;
  return true;
}

Exprs smt_quotients(Task *task, const Exprs *formulas) {
  Exprs facts = *formulas;
  for (unsigned i = 0; i < MOST_ROUNDS && write_anew(task, &facts); i++)
    ;
  return facts;
}
