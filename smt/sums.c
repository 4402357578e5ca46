// Sums below other sums.
//
//   t + 256 * b + 256 * p < n   says that   3 * t + 768 * p   is below 3 * n
//
// of natural numbers.  The intervals of t, b and p alone say less: each may be
// large, and all of them may not.  The sums that are known not to wrap are the
// limits of all others, those that are computed in fewer bits above all, of
// which this tells that they do not wrap either.

#include "smt/bounds.h"
#include "translator/expr.h"

#include <math.h>

enum { MOST_PARTS = 8, MOST_LIMITS = 64 };

// factor * the natural number that the term is.
typedef struct Term {
  const Expr *term;
  double factor;
} Term;

// Of natural numbers, whatever the width.
typedef struct Sum {
  Term parts[MOST_PARTS];
  unsigned count;
  double constant;
  double most; // of a limit
  bool is_cut;
} Sum;

struct Sums {
  const BoundsTable *bounds;
  Vec(Sum) limits;
};

// ----------------------------------------------------------------- parts ---

static const Bounds *bounds_of(const Sums *sums, const Expr *e) {
  return &sums->bounds->at[e->id];
}

static bool is_scaled(const Expr *e) {
  return e->op == EXPR_MUL && expr_is_const(e->args[1]);
}

static bool is_sum(const Expr *e) {
  return (e->op == EXPR_ADD || is_scaled(e));
}

static void add_part(Sum *sum, const Expr *term, double factor) {
  for (unsigned i = 0; i < sum->count; i++)
    if (sum->parts[i].term == term) {
      sum->parts[i].factor += factor;
      return;
    }
  sum->is_cut |= sum->count == MOST_PARTS;
  if (!sum->is_cut)
    sum->parts[sum->count++] = (Term){term, factor};
}

// The number behind extensions and cuts that do not change it; of products in
// more and in fewer bits that are one number, the former.
static const Expr *number(const Sums *sums, const Expr *e) {
  for (;;) {
    const Expr *product = bounds_of(sums, e)->whole;
    bool is_whole =
        e->op == EXPR_ZEXT ||
        (e->op == EXPR_EXTRACT && e->value == 0 &&
         bounds_of(sums, e->args[0])->plain.high < ldexp(1, (int)e->width));
    if (!is_whole && !product)
      return e;
    e = product ? product : e->args[0];
  }
}

static void add_sum(const Sums *sums, Sum *sum, const Expr *e, double factor,
                    bool is_exact);

// A sum that may wrap is the number that its parts are modulo 2^w, which is as
// good in a sum of w bits, unless that sum has to be exact.
static void add_number(const Sums *sums, Sum *sum, const Expr *e, double factor,
                       bool is_exact) {
  const Expr *core = number(sums, e);
  bool may_wrap = !is_exact && core == e;
  if (is_sum(core) && (may_wrap || bounds_of(sums, core)->fits))
    add_sum(sums, sum, core, factor, !may_wrap);
  else if (expr_is_const(core))
    sum->constant += factor * (double)core->value;
  else
    add_part(sum, core, factor);
}

static void add_sum(const Sums *sums, Sum *sum, const Expr *e, double factor,
                    bool is_exact) {
  if (is_scaled(e)) {
    double more = factor * (double)e->args[1]->value;
    add_number(sums, sum, e->args[0], more, is_exact);
    return;
  }
  add_number(sums, sum, e->args[0], factor, is_exact);
  add_number(sums, sum, e->args[1], factor, is_exact);
}

static Sum sum_of(const Sums *sums, const Expr *e, bool is_exact) {
  Sum sum = {0};
  add_sum(sums, &sum, e, 1, is_exact);
  return sum;
}

// ---------------------------------------------------------------- limits ---

static double factor_in(const Sum *sum, const Expr *term) {
  for (unsigned i = 0; i < sum->count; i++)
    if (sum->parts[i].term == term)
      return sum->parts[i].factor;
  return 0;
}

// How often the limit has to be taken for what both are made of.
static double times_in(const Sum *sum, const Sum *limit) {
  double times = 0;
  for (unsigned i = 0; i < sum->count; i++) {
    double factor = factor_in(limit, sum->parts[i].term);
    if (factor > 0)
      times = fmax(times, sum->parts[i].factor / factor);
  }
  return times;
}

static double most_by(const Sums *sums, const Sum *sum, const Sum *limit) {
  double most =
      sum->constant + times_in(sum, limit) * (limit->most - limit->constant);
  for (unsigned i = 0; i < sum->count; i++) {
    const Term *part = &sum->parts[i];
    if (factor_in(limit, part->term) == 0)
      most += part->factor * bounds_of(sums, part->term)->plain.high;
  }
  return most;
}

double sums_most(const Sums *sums, const Expr *e) {
  double most = INFINITY;
  if (!is_sum(e))
    return most;
  Sum sum = sum_of(sums, e, false);
  for (size_t i = 0; !sum.is_cut && i < sums->limits.count; i++)
    most = fmin(most, most_by(sums, &sum, &sums->limits.at[i]));
  return most * (1 + ldexp(1, -40));
}

// Numbers below 2^52 are exact, and so is a difference of them.
static bool is_limit(const Sums *sums, const Expr *e) {
  const Bounds *bounds = bounds_of(sums, e);
  return is_sum(e) && bounds->fits && bounds->plain.high < ldexp(1, 52);
}

Sums *sums_find(Task *task, const Exprs *order, const BoundsTable *bounds) {
  Sums *sums = NEW(&task->arena, Sums);
  *sums = (Sums){.bounds = bounds};
  for (size_t i = 0; i < order->count; i++) {
    const Expr *e = order->at[i];
    if (!is_limit(sums, e) || sums->limits.count == MOST_LIMITS)
      continue;
    Sum sum = sum_of(sums, e, true);
    sum.most = bounds_of(sums, e)->plain.high;
    if (!sum.is_cut && sum.constant <= sum.most)
      push(&task->arena, &sums->limits, sum);
  }
  return sums;
}
