// Choices that the launch makes, one after the other.
//
// In `stride = is_by_column ? 1 : rows` what is multiplied by stride is a row
// or a column in each case, and to a solver both and none before it guesses.
// All threads choose the same, so there are two questions and no more.

#include "smt/smt.h"

static bool is_of_launch(Task *task, Expr *condition) {
  Symbols symbols = {0};
  expr_symbols(task, condition, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->kind != SYMBOL_PARAMETER &&
        symbols.at[i]->kind != SYMBOL_LAUNCH &&
        symbols.at[i]->kind != SYMBOL_BLOCK_SIZE &&
        symbols.at[i]->kind != SYMBOL_GRID_SIZE)
      return false;
  return symbols.count > 0;
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
  return NULL;
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
