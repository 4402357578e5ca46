// Formulas by hand, for the tests of smt/.

#ifndef TEST_UNIT_FORMULA_H
#define TEST_UNIT_FORMULA_H

#include "smt/smt.h"

static Task task;
static unsigned symbols_made;

static inline void setup(void) { task = (Task){0}; }
static inline void teardown(void) { arena_free(&task.arena); }

static inline Expr *fresh_of(SymbolKind kind, const char *name,
                             unsigned width) {
  Symbol *symbol = NEW(&task.arena, Symbol);
  symbol->kind = kind;
  symbol->number = symbols_made++;
  symbol->width = width;
  symbol->name = name;
  return expr_symbol(&task, symbol);
}

static inline Expr *fresh(const char *name, unsigned width) {
  return fresh_of(SYMBOL_UNKNOWN, name, width);
}

static inline Expr *number(unsigned width, uint64_t value) {
  return expr_const(&task, width, value);
}

static inline Expr *binary(ExprOp op, Expr *a, Expr *b) {
  return expr_binary(&task, op, a, b);
}

static inline Expr *add(Expr *a, Expr *b) { return expr_add(&task, a, b); }
static inline Expr *mul(Expr *a, Expr *b) { return expr_mul(&task, a, b); }
static inline Expr * not(Expr * a) { return expr_not(&task, a); }
static inline Expr * or (Expr * a, Expr *b) { return expr_or(&task, a, b); }
static inline Expr * and (Expr * a, Expr *b) { return expr_and(&task, a, b); }
static inline Expr *equal(Expr *a, Expr *b) { return expr_eq(&task, a, b); }
static inline Expr *differ(Expr *a, Expr *b) { return not(equal(a, b)); }
static inline Expr *below(Expr *a, Expr *b) { return binary(EXPR_ULT, a, b); }
static inline Expr *long_of(Expr *a) { return expr_zext(&task, a, 64); }

static inline Expr *below_number(Expr *a, uint64_t limit) {
  return below(a, number(a->width, limit));
}

static inline void say(Exprs *formulas, Expr *formula) {
  push(&task.arena, formulas, formula);
}

// Numbers that look random and are the same in every run.
static inline uint64_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return *state >> 33;
}

// Are all of them true there?
static inline bool all_hold(const Exprs *formulas, Valuation *valuation) {
  for (size_t i = 0; i < formulas->count; i++)
    if (!expr_evaluate(&task, valuation, formulas->at[i]))
      return false;
  return true;
}

#endif
