// Choices that the launch makes, one after the other.
//
// In `stride = is_by_column ? 1 : rows` what is multiplied by stride is a row
// or a column in each case, and to a solver both and none before it guesses.
// All threads choose the same, so there are two questions and no more.
//
// So is what a later round of a loop knows of the sizes, as that their product
// is exact, or else nobody is in a later round.

#include "smt/smt.h"

static bool is_of_launch(Task *task, Expr *condition) {
  Symbols symbols = {0};
  expr_symbols(task, condition, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (!symbol_is_of_launch(symbols.at[i]))
      return false;
  return symbols.count > 0;
}

static bool is_first_round(const Expr *a) {
  for (unsigned i = 0; a->op == EXPR_EQ && i < 2; i++)
    if (a->args[i]->op == EXPR_SYMBOL &&
        a->args[i]->symbol->kind == SYMBOL_ITERATION &&
        expr_is_const(a->args[1 - i]) && !a->args[1 - i]->value)
      return true;
  return false;
}

// What a fact says unless it is the first round.
typedef struct Later {
  Expr *known;
  bool may_be_first;
} Later;

static void find_later(Task *task, Expr *fact, Later *later) {
  for (unsigned i = 0; fact->op == EXPR_OR && i < fact->count; i++)
    find_later(task, fact->args[i], later);
  later->may_be_first |= is_first_round(fact);
  if (fact->op == EXPR_EQ && is_of_launch(task, fact))
    later->known = fact;
}

static bool is_among(const Exprs *formulas, const Expr *a) {
  for (size_t i = 0; i < formulas->count; i++)
    if (formulas->at[i] == a)
      return true;
  return false;
}

static Expr *choice_of_rounds(Task *task, const Exprs *from) {
  for (size_t i = 0; i < from->count; i++) {
    Later later = {0};
    find_later(task, from->at[i], &later);
    if (later.known && later.may_be_first && !is_among(from, later.known) &&
        !is_among(from, expr_not(task, later.known)))
      return later.known;
  }
  return NULL;
}

Expr *smt_choice(Task *task, const Exprs *from) {
  Exprs order = {0};
  ExprMap *seen = expr_map_new(task);
  for (size_t i = 0; i < from->count; i++)
    expr_order(task, from->at[i], seen, &order);
  for (size_t i = 0; i < order.count; i++)
    for (unsigned k = 0; order.at[i]->op == EXPR_MUL && k < 2; k++) {
      const Expr *factor = expr_without_extension(order.at[i]->args[k]);
      if (factor->op == EXPR_ITE && is_of_launch(task, factor->args[0]))
        return factor->args[0];
    }
  return choice_of_rounds(task, from);
}

static Expr *decided(Task *task, Expr *e, const Expr *condition, bool truth,
                     const ExprMap *done) {
  enum { MOST_ARGUMENTS = 8 };
  Expr *args[MOST_ARGUMENTS];
  if (e == condition)
    return expr_bool(task, truth);
  if (!e->count || e->count > MOST_ARGUMENTS)
    return e;
  for (unsigned i = 0; i < e->count; i++)
    args[i] = expr_map_get(done, e->args[i]);
  return expr_rebuild(task, e, args);
}

Exprs smt_chosen(Task *task, const Exprs *from, Expr *condition, bool truth) {
  Exprs order = {0}, formulas = {0};
  ExprMap *seen = expr_map_new(task), *done = expr_map_new(task);
  for (size_t i = 0; i < from->count; i++)
    expr_order(task, from->at[i], seen, &order);
  for (size_t i = 0; i < order.count; i++)
    expr_map_put(task, done, order.at[i],
                 decided(task, order.at[i], condition, truth, done));
  for (size_t i = 0; i < from->count; i++)
    push(&task->arena, &formulas, expr_map_get(done, from->at[i]));
  push(&task->arena, &formulas, truth ? condition : expr_not(task, condition));
  return formulas;
}
