// A power of two of which only the exponent is unknown: one case for each.
//
// In `for (span = 1; span < n; span *= 2)` what is divided by span, or times
// it, is a product of unknowns.  With a number for the round there is none, and
// rounds that the loop does not get to are false at once.

#include "smt/smt.h"

// The iteration that the amount of a shift depends on, and on nothing else;
// NULL: it is not so.
static Symbol *exponent(Task *task, const Expr *e) {
  Symbols symbols = {0};
  if (e->op != EXPR_SHL || expr_is_const(e->args[1]))
    return NULL;
  expr_symbols(task, e->args[1], &symbols);
  bool is_one = symbols.count == 1 && symbols.at[0]->kind == SYMBOL_ITERATION;
  return is_one ? symbols.at[0] : NULL;
}

// Of the first one that there is: how wide the widest of its shifts is.
static Symbol *find_exponent(Task *task, const Exprs *from, unsigned *width) {
  Exprs order = {0};
  Symbol *found = NULL;
  ExprMap *seen = expr_map_new(task);
  for (size_t i = 0; i < from->count; i++)
    expr_order(task, from->at[i], seen, &order);
  for (size_t i = 0; i < order.count; i++) {
    Symbol *symbol = exponent(task, order.at[i]);
    if (!symbol || (found && symbol != found))
      continue;
    found = symbol;
    if (order.at[i]->width > *width)
      *width = order.at[i]->width;
  }
  return found;
}

typedef struct Case {
  const Symbol *symbol;
  uint64_t value;
} Case;

static Expr *in_case(Task *task, Symbol *symbol, void *data) {
  const Case *one = data;
  return symbol == one->symbol ? expr_const(task, symbol->width, one->value)
                               : expr_symbol(task, symbol);
}

unsigned smt_cases(Task *task, const Exprs *from) {
  unsigned width = 0;
  return find_exponent(task, from, &width) ? width : 0;
}

Exprs smt_case(Task *task, const Exprs *from, unsigned number) {
  unsigned width = 0;
  Symbol *symbol = find_exponent(task, from, &width);
  Expr *itself = expr_symbol(task, symbol);
  Expr *value = expr_const(task, symbol->width, number);
  Exprs formulas = {0};
  if (number >= width) {
    exprs_add(task, from, &formulas);
    push(&task->arena, &formulas, expr_binary(task, EXPR_ULE, value, itself));
    return formulas;
  }
  Case one = {symbol, number};
  Substitution substitution = {.replace = in_case, .data = &one};
  for (size_t i = 0; i < from->count; i++)
    push(&task->arena, &formulas,
         expr_substitute(task, &substitution, from->at[i]));
  push(&task->arena, &formulas, expr_eq(task, itself, value));
  return formulas;
}
