// Sums that do not wrap.
//
// That x <= x + y, unsigned, says that no carry is lost: x + y is the sum of
// two integers.  A bit-vector solver needs no telling.  Over the integers a
// sum is a remainder modulo 2^w, whose quotient has to be guessed, again for
// each sum of an index; so we say it:
//
//   x <= e  implies  e = x + (e - x)     in w + 1 bits
//
// for every such comparison that a formula is.  The lemma is true of all x
// and e; it is worth having where e is a sum of which x is a part.

#include "smt/smt.h"
#include "translator/expr.h"

static Expr *no_carry(Task *task, Expr *x, Expr *e) {
  unsigned wide = e->width + 1;
  Expr *rest = expr_sub(task, e, x);
  Expr *sum =
      expr_add(task, expr_zext(task, x, wide), expr_zext(task, rest, wide));
  return expr_eq(task, expr_zext(task, e, wide), sum);
}

void carry_lemmas(Task *task, const Exprs *formulas, Exprs *lemmas) {
  for (size_t i = 0; i < formulas->count; i++) {
    Expr *fact = formulas->at[i];
    if (fact->op != EXPR_ULE || fact->args[1]->op != EXPR_ADD)
      continue;
    Expr *lemma =
        expr_implies(task, fact, no_carry(task, fact->args[0], fact->args[1]));
    if (!expr_is_true(lemma))
      push(&task->arena, lemmas, lemma);
  }
}
