// How large the terms of a query can be; see bounds.c.

#ifndef SMT_BOUNDS_H
#define SMT_BOUNDS_H

#include "smt/smt.h"

// Rounded outwards.
typedef struct Interval {
  double low, high;
} Interval;

// Of a term as a natural number and in two's complement.
typedef struct Bounds {
  Interval plain, two;
  bool fits;         // a sum or product of natural numbers that does not wrap
  const Expr *whole; // the same number as a product in more bits; or NULL
} Bounds;

typedef Vec(Bounds) BoundsTable; // by Expr.id

// The bounds, in every model of all formulas, of each term in `order`, which
// has all terms of the formulas, arguments first.
void bounds_find(Task *task, const Exprs *formulas, const Exprs *order,
                 BoundsTable *table);

// -------------------------------------------------------------- factors.c ---

// The factors of `part` are among those of `whole`, a product in more bits.
typedef struct Submultiple {
  const Expr *part, *whole;
  Exprs factors; // of the whole, as they are before they are extended
  Exprs nested;  // products in fewer bits whose factors these are
  Exprs rest;    // that are not of the part
  bool has_signs;
} Submultiple;
typedef Vec(Submultiple) Submultiples;

// Of the products in `order` and those in `wide`.
void factors_find(Task *task, const Exprs *order, const Exprs *wide,
                  Submultiples *found);

// ----------------------------------------------------------------- sums.c ---

typedef struct Sums Sums;

// The sums and products by constants in `order` that do not wrap.
Sums *sums_find(Task *task, const Exprs *order, const BoundsTable *bounds);

// What those leave for the natural numbers that `e` is a sum of; INFINITY:
// they say nothing of it.
double sums_most(const Sums *sums, const Expr *e);

// ------------------------------------------------------------- naturals.c ---

typedef struct Naturals Naturals;

// What the facts say of their terms and of others as natural numbers.
Naturals *naturals_find(Task *task, const Exprs *facts, const Exprs *terms);

// In every model of the facts a is below b, and e is below 2^bits.  Terms of
// the width of a, b or e are sums and products that do not wrap.  False:
// perhaps.
bool naturals_are_below(Naturals *to, Expr *a, Expr *b);
bool naturals_fit(Naturals *to, Expr *e, unsigned bits);

// In two's complement it is not below zero.  False: perhaps it is.
bool naturals_is_natural(const Naturals *to, const Expr *e);

// ---------------------------------------------------------------- widen.c ---

// How terms that have bounds are written anew.
typedef struct Widening {
  Task *task;
  const BoundsTable *bounds;
  ExprMap *plain;  // term -> what it is written as
  ExprMap *stated; // facts that are there
  Exprs *facts;    // gets what would be lost otherwise
} Widening;

// zext(e, width), of parts that are extended where their sum does not wrap; all
// terms of `e` are written already.
Expr *smt_extended(const Widening *to, Expr *e, unsigned width);

// The same of a factor of a product: at most a number goes before it.
Expr *smt_factor(const Widening *to, Expr *e, unsigned width);

#endif
