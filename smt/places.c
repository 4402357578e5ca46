// What a query says of the two places alone.
//
// An access behind twenty loops comes with how each of them was left, and its
// guard with what was read on the way.  That two threads are at different
// places follows mostly from the places: from the two addresses and from what
// is said of the ids, iterations and sizes in them.  So a weaker query is asked
// first, which says nothing of anything else.  Without formulas a query has no
// fewer models, so what is refuted without them is refuted; a model of the
// weaker query says nothing.

#include "smt/smt.h"
#include "translator/expr.h"

// Of little more than the places a query is asked at once.
enum { MOST_PART = 2 };

typedef struct Fact {
  Symbols symbols;
  bool is_of_data; // what is read
  bool compares;   // something of one thread with the same of the other
} Fact;

static bool is_size(const Symbol *symbol) {
  return symbol->kind == SYMBOL_BLOCK_SIZE || symbol->kind == SYMBOL_GRID_SIZE;
}

static bool is_of_data(Task *task, Expr *formula) {
  Exprs terms = {0};
  expr_order(task, formula, expr_map_new(task), &terms);
  for (size_t i = 0; i < terms.count; i++)
    if (terms.at[i]->op == EXPR_APPLY)
      return true;
  return false;
}

static bool compares(const Symbols *symbols) {
  for (size_t i = 0; i < symbols->count; i++)
    for (size_t k = 0; symbols->at[i]->original && k < i; k++)
      if (symbols->at[k]->original == symbols->at[i]->original)
        return true;
  return false;
}

static Fact fact_of(Task *task, Expr *formula) {
  Fact fact = {.is_of_data = is_of_data(task, formula)};
  expr_symbols(task, formula, &fact.symbols);
  fact.compares = compares(&fact.symbols);
  return fact;
}

static void know(Task *task, ExprMap *known, const Fact *fact) {
  for (size_t i = 0; i < fact->symbols.count; i++) {
    Expr *symbol = fact->symbols.at[i]->expr;
    expr_map_put(task, known, symbol, symbol);
  }
}

static bool is_of_known(const ExprMap *known, const Fact *fact) {
  for (size_t i = 0; i < fact->symbols.count; i++)
    if (!is_size(fact->symbols.at[i]) &&
        !expr_map_get(known, fact->symbols.at[i]->expr))
      return false;
  return fact->compares || !fact->is_of_data;
}

bool smt_of_places(Task *task, const Exprs *formulas, Exprs *rest) {
  Exprs unused = {0}, facts = smt_reduce(task, formulas, &unused);
  Fact *each = arena_alloc(&task->arena, facts.count * sizeof *each);
  ExprMap *known = expr_map_new(task);
  for (size_t i = 0; i < facts.count; i++) {
    each[i] = fact_of(task, facts.at[i]);
    if (each[i].compares)
      know(task, known, &each[i]);
  }
  for (size_t i = 0; i < facts.count; i++)
    if (is_of_known(known, &each[i]))
      push(&task->arena, rest, facts.at[i]);
  return rest->count <= facts.count / MOST_PART;
}
