// Products whose factors are among those of a product in more bits.
//
//   h * w      and  c * h       of  zext(h * w) * zext(c)
//
// A product of natural numbers is no larger than one of the same and further
// numbers, none of which is 0.  A size is used of a picture, of all pictures
// and of a row of them, and what is said of one of these products is said of
// the others.

#include "smt/bounds.h"
#include "translator/expr.h"

typedef struct Factors {
  const Expr *product;
  Exprs at, nested; // products among its factors, of which `at` has the factors
  bool has_signs;   // of extended factors
} Factors;

typedef Vec(Factors) FactorsTable;

enum { MOST_FACTORS = 8 };

// Of a product in fewer bits than the one that is looked at each part may have
// wrapped by itself.
static void add_factors(Task *task, Factors *factors, Expr *e, bool is_narrow) {
  while (e->op == EXPR_ZEXT || e->op == EXPR_SEXT) {
    factors->has_signs |= e->op == EXPR_SEXT;
    is_narrow = true;
    e = e->args[0];
  }
  if (e->op != EXPR_MUL || factors->at.count >= MOST_FACTORS) {
    push(&task->arena, &factors->at, e);
    return;
  }
  if (is_narrow)
    push(&task->arena, &factors->nested, e);
  for (unsigned i = 0; i < 2; i++)
    add_factors(task, factors, e->args[i], is_narrow);
}

static Factors factors_of(Task *task, const Expr *product) {
  Factors factors = {.product = product};
  for (unsigned i = 0; i < 2; i++)
    add_factors(task, &factors, product->args[i],
                product->args[i]->width < product->width);
  return factors;
}

// Those of `whole` that are not of `part`; false: it is not a part of it.
static bool find_rest(Task *task, const Factors *part, const Factors *whole,
                      Exprs *rest) {
  bool is_taken[2 * MOST_FACTORS] = {false};
  if (part->at.count > whole->at.count ||
      whole->at.count > sizeof is_taken / sizeof *is_taken)
    return false;
  for (size_t i = 0; i < part->at.count; i++) {
    size_t k = 0;
    while (k < whole->at.count &&
           (is_taken[k] || whole->at.at[k] != part->at.at[i]))
      k++;
    if (k == whole->at.count)
      return false;
    is_taken[k] = true;
  }
  for (size_t k = 0; k < whole->at.count; k++)
    if (!is_taken[k])
      push(&task->arena, rest, whole->at.at[k]);
  return true;
}

static void add_nested(Task *task, Submultiple *to, const Exprs *nested) {
  for (size_t i = 0; i < nested->count; i++)
    push(&task->arena, &to->nested, nested->at[i]);
}

static void add_part(Task *task, const Factors *part, const Factors *whole,
                     Submultiples *found) {
  Submultiple new = {.part = part->product,
                     .whole = whole->product,
                     .factors = whole->at,
                     .has_signs = part->has_signs || whole->has_signs};
  if (!find_rest(task, part, whole, &new.rest))
    return;
  add_nested(task, &new, &part->nested);
  add_nested(task, &new, &whole->nested);
  push(&task->arena, found, new);
}

void factors_find(Task *task, const Exprs *order, const Exprs *wide,
                  Submultiples *found) {
  FactorsTable wholes = {0};
  for (size_t i = 0; i < wide->count; i++)
    push(&task->arena, &wholes, factors_of(task, wide->at[i]));
  for (size_t i = 0; i < order->count; i++) {
    if (order->at[i]->op != EXPR_MUL)
      continue;
    const Factors part = factors_of(task, order->at[i]);
    for (size_t k = 0; k < wholes.count; k++)
      if (wholes.at[k].product->width > part.product->width)
        add_part(task, &part, &wholes.at[k], found);
  }
}
