// All values of a few small symbols, for the tests of smt/.

#ifndef TEST_UNIT_POINTS_H
#define TEST_UNIT_POINTS_H

#include "test/unit/formula.h"

#include <check.h>

enum { MOST_SYMBOLS = 5 };

typedef struct Point {
  Expr *symbols[MOST_SYMBOLS];
  uint64_t values[MOST_SYMBOLS];
  unsigned count;
} Point;

static inline uint64_t value_at(const Symbol *symbol, void *data) {
  const Point *point = data;
  for (unsigned i = 0; i < point->count; i++)
    if (point->symbols[i] == symbol->expr)
      return point->values[i];
  ck_abort_msg("no value for '%s'", symbol->name);
}

static inline uint64_t value_of(const Expr *e, Point *point) {
  return expr_evaluate(&task, &(Valuation){value_at, NULL, point}, e);
}

static inline bool hold(const Exprs *formulas, Point *point) {
  return all_hold(formulas, &(Valuation){value_at, NULL, point});
}

static inline unsigned bits_of(const Point *point) {
  unsigned bits = 0;
  for (unsigned i = 0; i < point->count; i++)
    bits += point->symbols[i]->width;
  return bits;
}

// The values are the digits of `all`.
static inline void go_to(Point *point, uint64_t all) {
  for (unsigned i = 0; i < point->count; i++) {
    unsigned width = point->symbols[i]->width;
    point->values[i] = all & ((UINT64_C(1) << width) - 1);
    all >>= width;
  }
}

static inline void expect_same_models(const Exprs *from, const Exprs *to,
                                      Point *point) {
  for (uint64_t all = 0; all >> bits_of(point) == 0; all++) {
    go_to(point, all);
    if (hold(from, point) == hold(to, point))
      continue;
    for (size_t i = 0; i < from->count; i++)
      fprintf(stderr, "from %s\n", expr_text(&task, from->at[i]));
    for (size_t i = 0; i < to->count; i++)
      fprintf(stderr, "to %s\n", expr_text(&task, to->at[i]));
    ck_abort_msg("not the same models");
  }
}

#endif
