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
} Bounds;

typedef Vec(Bounds) BoundsTable; // by Expr.id

// The bounds, in every model of all formulas, of each term in `order`, which
// has all terms of the formulas, arguments first.
void bounds_find(Task *task, const Exprs *formulas, const Exprs *order,
                 BoundsTable *table);

#endif
