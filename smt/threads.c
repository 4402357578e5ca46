// What a query says about threads.
//
// A guard says that a thread has left the loops before the access, and facts
// say what their iterations are.  Where neither has to do with the threads'
// ids, or with what these are compared with, what is left without them is
// smaller. Without formulas a query has no fewer models, so what is refuted
// without them is refuted.

#include "smt/smt.h"

typedef struct Linked {
  Symbols symbols;
  bool is_kept;
} Linked;

static bool is_id(const Symbol *symbol) {
  return symbol->kind == SYMBOL_THREAD_ID || symbol->kind == SYMBOL_BLOCK_ID;
}

static bool is_linked(ExprMap *known, const Linked *formula) {
  for (size_t i = 0; i < formula->symbols.count; i++)
    if (expr_map_get(known, formula->symbols.at[i]->expr))
      return true;
  return !formula->symbols.count;
}

static void keep(Task *task, ExprMap *known, Linked *formula) {
  formula->is_kept = true;
  for (size_t i = 0; i < formula->symbols.count; i++) {
    Expr *symbol = formula->symbols.at[i]->expr;
    expr_map_put(task, known, symbol, symbol);
  }
}

static void keep_all_linked(Task *task, ExprMap *known, Linked *formulas,
                            size_t count) {
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (size_t i = 0; i < count; i++)
      if (!formulas[i].is_kept && is_linked(known, &formulas[i])) {
        keep(task, known, &formulas[i]);
        is_new = true;
      }
  }
}

static void note_ids(Task *task, ExprMap *known, const Linked *formula) {
  for (size_t i = 0; i < formula->symbols.count; i++)
    if (is_id(formula->symbols.at[i]))
      expr_map_put(task, known, formula->symbols.at[i]->expr,
                   formula->symbols.at[i]->expr);
}

Exprs smt_about_threads(Task *task, const Exprs *formulas) {
  Linked *each = arena_alloc(&task->arena, formulas->count * sizeof *each);
  ExprMap *known = expr_map_new(task);
  Exprs kept = {0};
  for (size_t i = 0; i < formulas->count; i++) {
    expr_symbols(task, formulas->at[i], &each[i].symbols);
    note_ids(task, known, &each[i]);
  }
  keep_all_linked(task, known, each, formulas->count);
  for (size_t i = 0; i < formulas->count; i++)
    if (each[i].is_kept)
      push(&task->arena, &kept, formulas->at[i]);
  return kept;
}
