// What a number is made of, also where loops carry it: what it is on entry,
// what is added, and how often a loop goes round.

#include "translator/provenance.h"
#include "translator/expr.h"

static void add_origin(Task *task, Expr *a, Provenance *origin) {
  Exprs terms = {0};
  expr_order(task, a, expr_map_new(task), &terms);
  for (size_t i = 0; i < terms.count; i++)
    origin->has_data |= terms.at[i]->op == EXPR_APPLY;
  expr_symbols(task, a, &origin->symbols);
}

Provenance provenance_of(Task *task, Expr *a) {
  Provenance origin = {0};
  add_origin(task, a, &origin);
  for (size_t i = 0; i < origin.symbols.count; i++) {
    const Symbol *symbol = origin.symbols.at[i];
    origin.has_data |= symbol->kind == SYMBOL_LOAD ||
                       symbol->kind == SYMBOL_ATOMIC ||
                       symbol->kind == SYMBOL_UNKNOWN;
    if (symbol->kind != SYMBOL_PHI)
      continue;
    add_origin(task, symbol->init, &origin);
    add_origin(task, symbol->next, &origin);
    add_origin(task, symbol->loop->again, &origin);
  }
  return origin;
}

static bool has_number(const Provenance *origin, const Symbol *number) {
  for (size_t i = 0; i < origin->symbols.count; i++)
    if (origin->symbols.at[i] == number)
      return true;
  return false;
}

bool provenance_tells(const Provenance *x, const Provenance *condition) {
  bool is_about_threads = condition->has_data;
  for (size_t i = 0; i < condition->symbols.count; i++) {
    const Symbol *symbol = condition->symbols.at[i];
    bool is_thread =
        symbol->kind == SYMBOL_THREAD_ID || symbol->kind == SYMBOL_BLOCK_ID;
    bool is_round =
        symbol->kind == SYMBOL_PHI || symbol->kind == SYMBOL_ITERATION;
    is_about_threads |= is_thread;
    if ((is_thread || is_round) && has_number(x, symbol))
      return true;
  }
  return condition->has_data || (x->has_data && is_about_threads);
}
