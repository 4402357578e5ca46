// Facts that say only that something has room, and of which nobody asks.
//
//   sext(a) + sext(b) == sext(a + b)
//
// The ladder adds such a fact for each operation on an index.  Once quotients
// and remainders are put together again, most of these operations are gone from
// what is asked, and what is said of their room is about quotients that stand
// nowhere else.  Solvers look for a contradiction among them all the same.
// Without a fact a query has no fewer models, so what is refuted without them
// is refuted.

#include "smt/smt.h"
#include "translator/expr.h"

typedef struct Idle {
  Task *task;
  ExprMap *asked; // terms of the facts that say more
} Idle;

// A sum of products of terms that were extended.
static bool has_only_room(const Expr *e) {
  if (e->op == EXPR_SEXT || e->op == EXPR_ZEXT || expr_is_const(e))
    return true;
  if (e->op != EXPR_ADD && e->op != EXPR_MUL)
    return false;
  return has_only_room(e->args[0]) && has_only_room(e->args[1]);
}

static bool is_about_room(const Expr *fact) {
  return fact->op == EXPR_EQ && has_only_room(fact->args[0]) &&
         has_only_room(fact->args[1]);
}

static bool is_idle(const Idle *to, Expr *fact) {
  if (!is_about_room(fact))
    return false;
  Exprs terms = {0};
  expr_order(to->task, fact, expr_map_new(to->task), &terms);
  for (size_t i = 0; i < terms.count; i++)
    if (expr_is_division(terms.at[i]) && !expr_map_get(to->asked, terms.at[i]))
      return true;
  return false;
}

Exprs smt_without_idle(Task *task, const Exprs *formulas) {
  Idle to = {.task = task, .asked = expr_map_new(task)};
  Exprs asked = {0}, rest = {0};
  for (size_t i = 0; i < formulas->count; i++)
    if (!is_about_room(formulas->at[i]))
      expr_order(task, formulas->at[i], to.asked, &asked);
  for (size_t i = 0; i < formulas->count; i++)
    if (!is_idle(&to, formulas->at[i]))
      push(&task->arena, &rest, formulas->at[i]);
  return rest;
}
