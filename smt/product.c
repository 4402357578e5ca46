// Products of two unknowns, without multiplying.
//
// Bit-vector solvers do not finish on `row * width + col`, although why two
// threads do not meet there is easy: col < width, so equal sums have equal
// rows and equal columns.  These are the digits of a number in mixed radix,
// and for every product all that is needed is
//
//   u < v  implies  c*u + c <= c*v     computed without wrap-around.
//
// So each product of two unknowns x, y of w bits becomes an uninterpreted
// W(x, y) of 2w bits, which cannot wrap, of which the program sees the low w;
// and what holds for every product, pair of products and product with a
// constant that the formulas mention is added as lemmas.  Division by an
// unknown n is the product W(n, quotient) plus a remainder below n.
//
// One W serves all widths and signs in which the program multiplies the same
// unknowns: zero extensions are peeled off, and a sign extension is the
// zero extension minus 2^w where the sign is set.
//
// Some products are no such thing and become exact: by 1 << k a shift, by a
// bit a choice.  Everything here over-approximates: with the true product for
// W, every formula that is made has the value of the one it was made from,
// and every lemma is true.  test_product.c tries it for all values.

#include "smt/smt.h"
#include "translator/expr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_CONSTANTS = 8, // compared with, over all formulas
  MAX_DISTANCE = 3,  // between a factor and the same one in another guise
};

// W(factor[0], factor[1]); the first has the smaller id.
typedef struct Product {
  Expr *factor[2];
  Expr *wide;
} Product;

typedef struct Abstraction {
  Task *task;
  ExprMap *map;     // old -> new
  ExprMap *divided; // remainders whose lemmas are there
  Vec(Product) products;
  Vec(uint64_t) constants;
  Exprs *formulas, *lemmas;
  bool is_changed;
} Abstraction;

// ------------------------------------------------------------- shorthand ---

static Expr *zero_like(Task *task, const Expr *a) {
  return expr_const(task, a->width, 0);
}

static Expr *ones_like(Task *task, const Expr *a) {
  return expr_not(task, zero_like(task, a));
}

static Expr *is_zero(Task *task, Expr *a) {
  return expr_eq(task, a, zero_like(task, a));
}

static Expr *is_negative(Task *task, Expr *a) {
  return expr_binary(task, EXPR_SLT, a, zero_like(task, a));
}

static Expr *negated(Task *task, Expr *a) {
  return expr_sub(task, zero_like(task, a), a);
}

static Expr *magnitude(Task *task, Expr *a) {
  return expr_ite(task, is_negative(task, a), negated(task, a), a);
}

static unsigned wider(const Expr *a, const Expr *b) {
  return a->width > b->width ? a->width : b->width;
}

// Unsigned comparisons of numbers of any two widths.
static Expr *below(Task *task, Expr *a, Expr *b) {
  unsigned width = wider(a, b);
  return expr_binary(task, EXPR_ULT, expr_zext(task, a, width),
                     expr_zext(task, b, width));
}

static Expr *at_most(Task *task, Expr *a, Expr *b) {
  unsigned width = wider(a, b);
  return expr_binary(task, EXPR_ULE, expr_zext(task, a, width),
                     expr_zext(task, b, width));
}

static Expr *same(Task *task, Expr *a, Expr *b) {
  unsigned width = wider(a, b);
  return expr_eq(task, expr_zext(task, a, width), expr_zext(task, b, width));
}

// With room for the carry.
static Expr *sum(Task *task, Expr *a, Expr *b) {
  unsigned width = wider(a, b) + 1;
  return expr_add(task, expr_zext(task, a, width), expr_zext(task, b, width));
}

static void lemma(Abstraction *to, Expr *condition, Expr *conclusion) {
  Expr *formula = expr_implies(to->task, condition, conclusion);
  if (!expr_is_true(formula))
    push(&to->task->arena, to->lemmas, formula);
}

// -------------------------------------------------------------- products ---

// x*y <= x * (the greatest y that its form allows).
static Expr *is_in_range(Task *task, Expr *x, const Expr *y, Expr *wide) {
  unsigned width = wide->width;
  uint64_t most = y->width > 64 ? UINT64_MAX : linear_range(y).high;
  Expr *times =
      expr_mul(task, expr_zext(task, x, width), expr_const(task, width, most));
  return y->width > 64 ? expr_bool(task, true) : at_most(task, wide, times);
}

// Every product of two unknowns that is not zero is at least each of them.
static void add_lemmas_of_one(Abstraction *to, Expr *x, Expr *y, Expr *wide) {
  Task *task = to->task;
  Expr *one = expr_const(task, x->width, 1);
  push(&task->arena, to->formulas, is_in_range(task, x, y, wide));
  lemma(to, is_zero(task, x), is_zero(task, wide));
  lemma(to, expr_eq(task, x, one), same(task, wide, y));
  lemma(to, below(task, one, x), at_most(task, sum(task, y, y), wide));
}

// What the program calls or reads has a dot in its name.
bool product_is_wide(const Expr *e) {
  static const char name[] = "product";
  const size_t length = sizeof name - 1;
  return e->op == EXPR_APPLY && !strncmp(e->function, name, length) &&
         !e->function[length + strspn(e->function + length, "0123456789")];
}

// NULL: there is none yet.
static Expr *known_product(const Abstraction *to, const Expr *x,
                           const Expr *y) {
  for (size_t i = 0; i < to->products.count; i++) {
    const Product *p = &to->products.at[i];
    if ((p->factor[0] == x && p->factor[1] == y) ||
        (p->factor[0] == y && p->factor[1] == x))
      return p->wide;
  }
  return NULL;
}

static Expr *wide_product(Abstraction *to, Expr *x, Expr *y) {
  Expr *known = known_product(to, x, y);
  if (known)
    return known;
  if (x->id > y->id)
    return wide_product(to, y, x);
  Task *task = to->task;
  unsigned width = wider(x, y);
  const char *name = arena_printf(&task->arena, "product%u", width);
  Expr *args[] = {expr_zext(task, x, width), expr_zext(task, y, width)};
  Product p = {{x, y}, expr_apply(task, name, 2 * width, args, 2)};
  push(&task->arena, &to->products, p);
  return p.wide;
}

// The unknown behind a zero extension.
static Expr *peel(Expr *a) {
  while (a->op == EXPR_ZEXT && a->args[0]->width > 1)
    a = a->args[0];
  return a;
}

// An unknown behind its extension.
typedef struct Factor {
  Expr *core;
  bool is_signed; // it was sign-extended
} Factor;

static Factor factor_of(Expr *a) {
  Factor factor = {a, false};
  if (a->op == EXPR_SEXT && a->args[0]->width > 1)
    factor = (Factor){a->args[0], true};
  if (peel(factor.core) == factor.core)
    return factor;
  return (Factor){peel(factor.core), false};
}

// If `sign` comes from a core that was sign-extended and is negative: what
// `other` is too much by, 2^(width of the core) times.
static Expr *excess(Task *task, Factor sign, Factor other, unsigned width) {
  Expr *zero = expr_const(task, width, 0);
  if (!sign.is_signed || sign.core->width >= width)
    return zero;
  Expr *full = other.is_signed ? expr_sext(task, other.core, width)
                               : expr_zext(task, other.core, width);
  Expr *shifted = expr_binary(task, EXPR_SHL, full,
                              expr_const(task, width, sign.core->width));
  return expr_ite(task, is_negative(task, sign.core), shifted, zero);
}

// x*y where each may stand for itself minus 2^w:
// (x - X)(y - Y) = x*y - X*(y - Y) - Y*x.
static Expr *product_of(Abstraction *to, Factor x, Factor y, unsigned width) {
  Task *task = to->task;
  Expr *wide = wide_product(to, x.core, y.core);
  Expr *low = expr_to_width(task, wide, width, false);
  Expr *plain_x = expr_zext(task, x.core, width);
  low = expr_sub(task, low, excess(task, x, y, width));
  return expr_sub(task, low, excess(task, y, factor_of(plain_x), width));
}

// a << k if `b` is 1 << k, else NULL.
static Expr *exponent_of(const Expr *b) {
  bool is_power =
      b->op == EXPR_SHL && expr_is_const(b->args[0]) && b->args[0]->value == 1;
  return is_power ? b->args[1] : NULL;
}

static bool is_choice_of_constants(const Expr *a) {
  return a->op == EXPR_ITE && expr_is_const(a->args[1]) &&
         expr_is_const(a->args[2]);
}

static Expr *exact_product(Task *task, Expr *x, Expr *y) {
  Expr *k = exponent_of(y);
  if (k)
    return expr_binary(task, EXPR_SHL, x, k);
  if (is_choice_of_constants(y))
    return expr_ite(task, y->args[0], expr_mul(task, x, y->args[1]),
                    expr_mul(task, x, y->args[2]));
  bool is_extended = y->op == EXPR_ZEXT || y->op == EXPR_SEXT;
  if (!is_extended || y->args[0]->width > 1)
    return NULL;
  return expr_ite(task, y->args[0], y->op == EXPR_ZEXT ? x : negated(task, x),
                  zero_like(task, x));
}

static Expr *multiply(Abstraction *to, Expr *x, Expr *y);

// x * (y + constant): the constant leaves, lest y wraps in the product.
static Expr *distribute(Abstraction *to, Expr *x, Expr *y) {
  if (y->op != EXPR_ADD || !expr_is_const(y->args[1]))
    return NULL;
  return expr_add(to->task, multiply(to, x, y->args[0]),
                  expr_mul(to->task, x, y->args[1]));
}

static Expr *multiply(Abstraction *to, Expr *x, Expr *y) {
  if (expr_is_const(x) || expr_is_const(y) || x->width == 1)
    return expr_mul(to->task, x, y);
  to->is_changed = true;
  Expr *simple = exact_product(to->task, x, y);
  if (!simple)
    simple = exact_product(to->task, y, x);
  if (!simple)
    simple = distribute(to, x, y);
  if (!simple)
    simple = distribute(to, y, x);
  return simple ? simple : product_of(to, factor_of(x), factor_of(y), x->width);
}

// -------------------------------------------------------------- division ---

typedef struct Division {
  Expr *quotient, *remainder;
} Division;

// a = n * quotient + remainder, in the width of the wider unknown.
static Division divide_cores(Abstraction *to, Expr *a, Expr *n) {
  Task *task = to->task;
  unsigned width = wider(a, n);
  Expr *args[] = {expr_zext(task, a, width), expr_zext(task, n, width)};
  const char *name = arena_printf(&task->arena, "quotient%u", width);
  Expr *quotient = expr_apply(task, name, width, args, 2);
  name = arena_printf(&task->arena, "remainder%u", width);
  Expr *remainder = expr_apply(task, name, width, args, 2);
  if (expr_map_get(to->divided, remainder))
    return (Division){quotient, remainder};
  expr_map_put(task, to->divided, remainder, remainder);

  Expr *product = wide_product(to, peel(n), quotient);
  Expr *none = is_zero(task, n), *some = expr_not(task, none);
  lemma(to, some, same(task, a, sum(task, product, remainder)));
  lemma(to, some, below(task, remainder, n));
  lemma(to, some, at_most(task, quotient, a));
  lemma(to, none, same(task, quotient, ones_like(task, quotient)));
  lemma(to, none, same(task, remainder, a));
  return (Division){quotient, remainder};
}

static Division divide_unsigned(Abstraction *to, Expr *a, Expr *n) {
  Task *task = to->task;
  Expr *k = exponent_of(n);
  if (k) {
    Expr *none = is_zero(task, n), *ones = ones_like(task, n);
    Expr *shifted = expr_binary(task, EXPR_LSHR, a, k);
    return (Division){expr_ite(task, none, ones, shifted),
                      expr_binary(task, EXPR_AND, a, expr_add(task, n, ones))};
  }
  Division narrow = divide_cores(to, peel(a), peel(n));
  Expr *quotient = expr_zext(task, narrow.quotient, a->width);
  return (Division){
      expr_ite(task, is_zero(task, n), ones_like(task, a), quotient),
      expr_zext(task, narrow.remainder, a->width)};
}

// SMT-LIB's definition: divide magnitudes, then set the signs.
static Division divide_signed(Abstraction *to, Expr *a, Expr *n) {
  Task *task = to->task;
  Division d = divide_unsigned(to, magnitude(task, a), magnitude(task, n));
  Expr *differ =
      expr_binary(task, EXPR_XOR, is_negative(task, a), is_negative(task, n));
  return (Division){
      expr_ite(task, differ, negated(task, d.quotient), d.quotient),
      expr_ite(task, is_negative(task, a), negated(task, d.remainder),
               d.remainder)};
}

static Division divide(Abstraction *to, bool is_signed, Expr *a, Expr *n) {
  to->is_changed = true;
  return is_signed ? divide_signed(to, a, n) : divide_unsigned(to, a, n);
}

// ---------------------------------------------------------------- lemmas ---

// Of x*u and x*v with the same x: equal or at least x apart.
static void compare_products(Abstraction *to, Expr *given, Expr *x, Expr *u,
                             Expr *v, Expr *xu, Expr *xv) {
  Task *task = to->task;
  lemma(to, expr_and(task, given, same(task, u, v)), same(task, xu, xv));
  lemma(to, expr_and(task, given, below(task, u, v)),
        at_most(task, sum(task, xu, x), xv));
  lemma(to, expr_and(task, given, below(task, v, u)),
        at_most(task, sum(task, xv, x), xu));
}

// x*(u + d) = x*u + d*x where u + d does not wrap, as in the step of a loop.
static void add_lemma_of_difference(Abstraction *to, Expr *x, Expr *u, Expr *v,
                                    Expr *xu, Expr *xv) {
  Task *task = to->task;
  if (u->width != v->width || u->width > 64)
    return;
  Expr *d = expr_sub(task, v, u);
  if (!expr_is_const(d))
    return;
  unsigned width = wider(xu, xv) + 1;
  Expr *more = expr_mul(task, expr_zext(task, x, width),
                        expr_const(task, width, d->value));
  lemma(to, below(task, u, v),
        same(task, expr_add(task, expr_zext(task, xu, width), more), xv));
}

static bool is_within(const Expr *a, const Expr *b, unsigned distance) {
  if (a == b)
    return true;
  bool found = false;
  for (unsigned i = 0; distance && i < b->count; i++)
    found |= is_within(a, b->args[i], distance - 1);
  return found;
}

// Are the factors one, perhaps in different guises: n and its magnitude, or
// a wide product and the low half of it?
static bool are_alike(const Expr *x, const Expr *y) {
  return is_within(x, y, MAX_DISTANCE) || is_within(y, x, MAX_DISTANCE);
}

static void add_lemmas_of_two(Abstraction *to, const Product *p,
                              const Product *q) {
  for (unsigned i = 0; i < 2; i++)
    for (unsigned j = 0; j < 2; j++) {
      Expr *x = p->factor[i], *y = q->factor[j];
      if (!are_alike(x, y))
        continue;
      Expr *u = p->factor[!i], *v = q->factor[!j];
      compare_products(to, same(to->task, x, y), x, u, v, p->wide, q->wide);
      if (x != y)
        continue;
      add_lemma_of_difference(to, x, u, v, p->wide, q->wide);
      add_lemma_of_difference(to, x, v, u, q->wide, p->wide);
    }
}

// A product beside constant * one of its factors, which is exact.
static void add_lemmas_of_constant(Abstraction *to, const Product *p,
                                   uint64_t constant) {
  Task *task = to->task;
  Expr *always = expr_bool(task, true);
  for (unsigned i = 0; i < 2; i++) {
    Expr *x = p->factor[i], *u = p->factor[!i];
    if (u->width < 64 && constant >> u->width)
      continue;
    Expr *times = expr_mul(task, expr_zext(task, x, p->wide->width),
                           expr_const(task, p->wide->width, constant));
    compare_products(to, always, x, u, expr_const(task, u->width, constant),
                     p->wide, times);
  }
}

// (a*b)*c = (a*c)*b, if somebody asked for a*c.
static void reassociate(Abstraction *to, const Product *ab, Expr *c,
                        Expr *abc) {
  for (unsigned k = 0; k < 2; k++) {
    Expr *ac = known_product(to, ab->factor[k], c);
    if (ac)
      lemma(to, expr_bool(to->task, true),
            same(to->task, abc, wide_product(to, ac, ab->factor[!k])));
  }
}

// Needs all products.  Makes more of them, but no new sets of factors.
static void reassociate_all(Abstraction *to) {
  for (size_t i = 0; i < to->products.count; i++)
    for (size_t j = 0; j < to->products.count; j++)
      for (unsigned k = 0; k < 2; k++) {
        Product abc = to->products.at[i], ab = to->products.at[j];
        if (abc.factor[k] == ab.wide)
          reassociate(to, &ab, abc.factor[!k], abc.wide);
      }
}

static void add_lemmas(Abstraction *to) {
  reassociate_all(to);
  const Product *products = to->products.at;
  size_t count = to->products.count;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++)
      add_lemmas_of_two(to, &products[i], &products[j]);
  for (size_t i = 0; i < count; i++)
    for (unsigned k = 0; k < 2; k++)
      add_lemmas_of_one(to, products[i].factor[k], products[i].factor[!k],
                        products[i].wide);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < to->constants.count; j++)
      add_lemmas_of_constant(to, &products[i], to->constants.at[j]);
}

// -------------------------------------------------------------- formulas ---

// Constants that sizes are compared with are what products are bounded by.
static void note_constant(Abstraction *to, const Expr *a) {
  if (!expr_is_const(a) || a->value < 2 || a->width > 64)
    return;
  for (size_t i = 0; i < to->constants.count; i++)
    if (to->constants.at[i] == a->value)
      return;
  if (to->constants.count < MAX_CONSTANTS)
    push(&to->task->arena, &to->constants, a->value);
}

static bool is_launch_wide(const Expr *core) {
  return core->op == EXPR_SYMBOL && symbol_is_of_launch(core->symbol);
}

// The same order in every width.  Sizes first: of z*w*h the program tends to
// know w*h.  Constants last.
static int by_role(const void *a, const void *b) {
  const Expr *x = factor_of(*(Expr *const *)a).core;
  const Expr *y = factor_of(*(Expr *const *)b).core;
  if (expr_is_const(x) != expr_is_const(y))
    return expr_is_const(x) ? 1 : -1;
  if (is_launch_wide(x) != is_launch_wide(y))
    return is_launch_wide(x) ? -1 : 1;
  return (x->id > y->id) - (x->id < y->id);
}

static Expr *new_of(Abstraction *to, Expr *e);

// Of a square of a square there are as many as there are ways to them, so
// behind a few a product is one factor.
static void add_factors(Abstraction *to, Expr *e, Exprs *factors) {
  enum { MOST_FACTORS = 16 };
  if (e->op != EXPR_MUL || factors->count >= MOST_FACTORS) {
    push(&to->task->arena, factors, new_of(to, e));
    return;
  }
  add_factors(to, e->args[0], factors);
  add_factors(to, e->args[1], factors);
}

static Expr *abstract_product(Abstraction *to, Expr *e) {
  Exprs factors = {0};
  add_factors(to, e, &factors);
  qsort(factors.at, factors.count, sizeof *factors.at, by_role);
  Expr *product = factors.at[0];
  for (size_t i = 1; i < factors.count; i++)
    product = multiply(to, product, factors.at[i]);
  return product;
}

// Products are made when somebody needs them, so that parts of longer ones
// are not.
static Expr *new_of(Abstraction *to, Expr *e) {
  Expr *known = expr_map_get(to->map, e);
  if (known)
    return known;
  assert(e->op == EXPR_MUL);
  Expr *product = abstract_product(to, e);
  expr_map_put(to->task, to->map, e, product);
  return product;
}

static Expr *over_new_args(Abstraction *to, Expr *e) {
  Exprs args = {0};
  bool is_same = true;
  for (unsigned i = 0; i < e->count; i++) {
    push(&to->task->arena, &args, new_of(to, e->args[i]));
    is_same &= args.at[i] == e->args[i];
  }
  return is_same ? e : expr_rebuild(to->task, e, args.at);
}

bool product_is_of_unknowns(const Expr *e) {
  if (e->op == EXPR_MUL)
    return !expr_is_const(e->args[0]) && !expr_is_const(e->args[1]);
  return expr_is_division(e) && e->width > 1 && !expr_is_const(e->args[1]);
}

// The new form of `e`, which is no product; its arguments have theirs.
static Expr *abstracted(Abstraction *to, Expr *e) {
  if (!expr_is_division(e) || e->width == 1)
    return over_new_args(to, e);
  Expr *a = new_of(to, e->args[0]), *n = new_of(to, e->args[1]);
  if (expr_is_const(n))
    return over_new_args(to, e);
  bool is_signed = e->op == EXPR_SDIV || e->op == EXPR_SREM;
  Division d = divide(to, is_signed, a, n);
  return e->op == EXPR_UDIV || e->op == EXPR_SDIV ? d.quotient : d.remainder;
}

static void abstract_all(Abstraction *to, const Exprs *from, Exprs *formulas) {
  ExprMap *seen = expr_map_new(to->task);
  Exprs order = {0};
  for (size_t i = 0; i < from->count; i++)
    expr_order(to->task, from->at[i], seen, &order);
  for (size_t i = 0; i < order.count; i++) {
    Expr *e = order.at[i];
    if (expr_is_comparison(e)) {
      note_constant(to, e->args[0]);
      note_constant(to, e->args[1]);
    }
    if (e->op != EXPR_MUL)
      expr_map_put(to->task, to->map, e, abstracted(to, e));
  }
  for (size_t i = 0; i < from->count; i++)
    push(&to->task->arena, formulas, new_of(to, from->at[i]));
}

bool product_abstract(Task *task, const Exprs *from, Exprs *to, Exprs *lemmas) {
  assert(to->count == 0 && lemmas->count == 0);
  Exprs formulas = {0};
  Abstraction abstraction = {.task = task,
                             .map = expr_map_new(task),
                             .divided = expr_map_new(task),
                             .formulas = &formulas,
                             .lemmas = lemmas};
  abstract_all(&abstraction, from, &formulas);
  if (!abstraction.is_changed)
    return false;
  add_lemmas(&abstraction);
  *to = formulas;
  return true;
}
