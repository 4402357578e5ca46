// What holds in the first round of the loops around a statement.
//
// A round that begins is the first one where each of its variables is what it
// was on entry.  What is computed in the round itself, and in loops beside,
// nobody knows.

#include "translator/pair.h"

typedef struct FirstRound {
  const Stmt *stmt;
  const Loop *within;
  Substitution substitution;
  bool is_known;
} FirstRound;

static bool is_of_rounds(const FirstRound *first, const Symbol *symbol) {
  const Loop *within = first->within;
  return symbol->loop && symbol->loop != within &&
         (!within || loop_is_inside(symbol->loop, within));
}

static Expr *on_entry(Task *task, Symbol *symbol, void *data) {
  FirstRound *first = data;
  if (!is_of_rounds(first, symbol))
    return symbol->expr;
  bool is_around = loop_contains(symbol->loop, first->stmt->block);
  if (is_around && symbol == symbol->loop->iteration)
    return expr_const(task, symbol->width, 0);
  if (is_around && symbol->kind == SYMBOL_PHI && symbol->init)
    return expr_substitute(task, &first->substitution, symbol->init);
  first->is_known = false;
  return symbol->expr;
}

static bool reads_memory(Task *task, Expr *e) {
  Exprs parts = {0};
  expr_order(task, e, expr_map_new(task), &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (parts.at[i]->op == EXPR_APPLY)
      return true;
  return false;
}

Expr *first_round_guard(Task *task, const Stmt *stmt, const Loop *within) {
  FirstRound first = {.stmt = stmt, .within = within, .is_known = true};
  first.substitution = (Substitution){.replace = on_entry, .data = &first};
  Expr *guard = expr_substitute(task, &first.substitution, stmt->guard);
  return first.is_known && !reads_memory(task, guard) ? guard : NULL;
}
