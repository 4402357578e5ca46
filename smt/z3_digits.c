// Differences of sums, digit by digit.
//
//   t - t' + 64 * (b - b') + 4032 * (k - k') == 0
//
// with t and t' below 64: that b, b', k and k' do not matter is found by a
// linear solver in trying one of their values after the other, of which there
// are many.  Said with integers u and v of our own,
//
//   t - t' + 64 * u == 0    u == b - b' + 63 * v    v == k - k'
//
// it is a matter of bounds: 64 * u is no larger than t - t' is, so u is zero.
// There are such u and v whatever the values are, so nothing is assumed.

#include "smt/z3_terms.h"

#include <stdlib.h>

enum { MOST_TERMS = 24 };

static const int64_t most_factor = INT64_C(1) << 40;

typedef struct Term {
  const Expr *expr;
  int64_t factor;
} Term;

typedef struct Difference {
  Task *task;
  Z3Solver *solver;
  Term terms[MOST_TERMS];
  unsigned count;
  int64_t constant;
  bool is_plain; // too long, or the numbers are too large
  Z3_ast definitions;
} Difference;

// ---------------------------------------------------------------- terms ---

// In two's complement.
static int64_t number_of(const Expr *constant) {
  unsigned unused = 64 - constant->width;
  return (int64_t)(constant->value << unused) >> unused;
}

static bool is_small(int64_t number) {
  return number < most_factor && number > -most_factor;
}

static void add_term(Difference *d, const Expr *e, int64_t factor) {
  d->is_plain |= d->count == MOST_TERMS || !is_small(factor);
  if (!d->is_plain)
    d->terms[d->count++] = (Term){e, factor};
}

static void add_sum(Difference *d, const Expr *e, int64_t sign) {
  for (; e->op == EXPR_ADD && !d->is_plain; e = e->args[0]) {
    const Expr *last = e->args[1];
    bool has_factor = last->op == EXPR_MUL && expr_is_const(last->args[1]);
    if (expr_is_const(last))
      d->constant += sign * number_of(last);
    else if (has_factor && is_small(number_of(last->args[1])))
      add_term(d, last->args[0], sign * number_of(last->args[1]));
    else
      add_term(d, last, sign);
    d->is_plain |= !is_small(d->constant);
  }
  bool has_factor = e->op == EXPR_MUL && expr_is_const(e->args[1]);
  if (expr_is_const(e))
    d->constant += is_small(number_of(e)) ? sign * number_of(e) : most_factor;
  else if (has_factor && is_small(number_of(e->args[1])))
    add_term(d, e->args[0], sign * number_of(e->args[1]));
  else
    add_term(d, e, sign);
  d->is_plain |= !is_small(d->constant);
}

static int by_magnitude(const void *a, const void *b) {
  int64_t x = llabs(((const Term *)a)->factor);
  int64_t y = llabs(((const Term *)b)->factor);
  return (x > y) - (x < y);
}

// --------------------------------------------------------------- digits ---

static Z3_ast number(Difference *d, int64_t value) {
  Z3_context z3 = d->solver->z3;
  return z3_keep(d->task, d->solver,
                 Z3_mk_int64(z3, value, Z3_mk_int_sort(z3)));
}

static Z3_ast add(Difference *d, Z3_ast a, int64_t factor, Z3_ast b) {
  Z3_context z3 = d->solver->z3;
  Z3_ast both[2] = {number(d, factor), b};
  both[1] = z3_keep(d->task, d->solver, Z3_mk_mul(z3, 2, both));
  both[0] = a;
  return z3_keep(d->task, d->solver, Z3_mk_add(z3, 2, both));
}

// Where the next digit begins: from there on all factors are multiples of the
// first, which is larger than those before.
static unsigned find_digit(const Difference *d, unsigned from) {
  for (unsigned at = from + 1; at < d->count; at++) {
    int64_t unit = llabs(d->terms[at].factor);
    bool divides = unit > llabs(d->terms[at - 1].factor);
    for (unsigned i = at; divides && i < d->count; i++)
      divides = d->terms[i].factor % unit == 0;
    if (divides)
      return at;
  }
  return d->count;
}

static Z3_ast define(Difference *d, Z3_ast value) {
  Z3_context z3 = d->solver->z3;
  Z3_ast digit = z3_keep(d->task, d->solver,
                         Z3_mk_fresh_const(z3, "digit", Z3_mk_int_sort(z3)));
  Z3_ast is_value = z3_keep(d->task, d->solver, Z3_mk_eq(z3, digit, value));
  d->definitions = bits_and(d->task, d->solver, d->definitions, is_value);
  return digit;
}

// From the last digit to the first.
static Z3_ast horner(Difference *d, unsigned from, int64_t unit) {
  unsigned next = find_digit(d, from);
  Z3_ast sum = number(d, from ? 0 : d->constant);
  for (unsigned i = from; i < next; i++)
    sum = add(d, sum, d->terms[i].factor / unit,
              z3_loose(d->solver, d->terms[i].expr));
  if (next == d->count)
    return sum;
  int64_t larger = llabs(d->terms[next].factor);
  Z3_ast digit = define(d, horner(d, next, larger));
  return add(d, sum, larger / unit, digit);
}

Z3_ast z3_difference(Task *task, Z3Solver *solver, const Expr *x, const Expr *y,
                     Z3_ast *definitions) {
  Difference d = {.task = task, .solver = solver};
  if (x->width > 64)
    return NULL;
  add_sum(&d, x, 1);
  add_sum(&d, y, -1);
  qsort(d.terms, d.count, sizeof *d.terms, by_magnitude);
  if (d.is_plain || find_digit(&d, 0) == d.count)
    return NULL;
  d.definitions = z3_keep(task, solver, Z3_mk_true(solver->z3));
  Z3_ast difference = horner(&d, 0, 1);
  *definitions = d.definitions;
  return difference;
}
