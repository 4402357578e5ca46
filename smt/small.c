// Models that are easy to find.
//
// A bug that exists at all mostly exists for small sizes, and a place that
// threads come to at all they come to with plain arguments.

#include "smt/smt.h"

enum { SMALL_SIZE = 64, SMALL_PARAMETER = 1024, SMALL_ITERATION = 16 };

// ----------------------------------------------------------------- bounds ---

static uint64_t small_limit(SymbolKind kind) {
  switch (kind) {
  case SYMBOL_THREAD_ID:
  case SYMBOL_BLOCK_ID:
  case SYMBOL_BLOCK_SIZE:
  case SYMBOL_GRID_SIZE:
    return SMALL_SIZE;
  case SYMBOL_PARAMETER:
  case SYMBOL_LAUNCH:
    return SMALL_PARAMETER;
  case SYMBOL_ITERATION:
    return SMALL_ITERATION;
  case SYMBOL_PHI:
  case SYMBOL_LOAD:
  case SYMBOL_ATOMIC:
  case SYMBOL_UNKNOWN:
    break;
  }
  return UINT64_MAX;
}

// The bits of numbers up to `limit`.
static unsigned bits_of(uint64_t limit) {
  unsigned bits = 1;
  while (bits < 64 && limit >> bits)
    bits++;
  return bits;
}

static bool has_kind(const Symbols *symbols, SymbolKind kind) {
  for (size_t i = 0; i < symbols->count; i++)
    if (symbols->at[i]->kind == kind)
      return true;
  return false;
}

// The threads of a block of a given size are few enough, and the last ones
// may matter.
static bool is_bounded(const Symbols *symbols, const Symbol *symbol) {
  if (symbol->kind == SYMBOL_THREAD_ID && !has_kind(symbols, SYMBOL_BLOCK_SIZE))
    return false;
  return symbol->width > bits_of(small_limit(symbol->kind));
}

// High bits that are plainly zero make circuits small before they are built;
// a bound alone would be found out by search.
static Expr *low_bits(Task *task, Symbol *symbol, void *symbols) {
  Expr *e = expr_symbol(task, symbol);
  if (!is_bounded(symbols, symbol))
    return e;
  unsigned bits = bits_of(small_limit(symbol->kind));
  if (symbol->is_signed)
    return expr_sext(task, expr_extract(task, e, 0, bits), symbol->width);
  return expr_zext(task, expr_extract(task, e, 0, bits), symbol->width);
}

// What is signed may be as far below zero.
static Expr *is_small(Task *task, const Symbol *symbol) {
  uint64_t limit = small_limit(symbol->kind);
  Expr *e = expr_symbol(task, (Symbol *)symbol);
  if (!symbol->is_signed)
    return expr_binary(task, EXPR_ULE, e,
                       expr_const(task, symbol->width, limit));
  Expr *low = expr_const(task, symbol->width, -limit);
  Expr *high = expr_const(task, symbol->width, limit - 1);
  return expr_and(task, expr_binary(task, EXPR_SLE, low, e),
                  expr_binary(task, EXPR_SLE, e, high));
}

bool smt_bound(Task *task, const Exprs *from, Exprs *to) {
  Symbols symbols = {0};
  Substitution substitution = {.replace = low_bits, .data = &symbols};
  for (size_t i = 0; i < from->count; i++)
    expr_symbols(task, from->at[i], &symbols);
  for (size_t i = 0; i < from->count; i++)
    push(&task->arena, to, expr_substitute(task, &substitution, from->at[i]));
  for (size_t i = 0; i < symbols.count; i++) {
    Symbol *symbol = symbols.at[i];
    if (is_bounded(&symbols, symbol))
      push(&task->arena, to, is_small(task, symbol));
  }
  return to->count > from->count;
}

// ---------------------------------------------------------- plain numbers ---

// What sizes of the launch are in each variant, and the arguments that others
// are multiplied with or divided by; these differ by the step.  And what is
// read where that is a factor.
typedef struct Plain {
  uint64_t size, argument, step, value;
} Plain;

static const Plain plains[SMT_VARIANTS] = {
    {4, 64, 0, 0}, {8, 33, 10, 1}, {2, 1, 0, 2}, {4, 1024, 0, 0}};

typedef struct Fixing {
  const Plain *plain;
  Symbols symbols;
} Fixing;

static bool is_size(const Symbol *symbol) {
  return symbol->kind == SYMBOL_BLOCK_SIZE || symbol->kind == SYMBOL_GRID_SIZE;
}

static bool is_argument(const Symbol *symbol) {
  return symbol->kind == SYMBOL_PARAMETER || symbol->kind == SYMBOL_LAUNCH;
}

static bool is_fixed(const Fixing *fixing, const Symbol *symbol) {
  for (size_t i = 0; i < fixing->symbols.count; i++)
    if (fixing->symbols.at[i] == symbol)
      return true;
  return false;
}

static bool is_number(const Fixing *fixing, const Expr *e) {
  e = expr_without_extension(e);
  return expr_is_const(e) ||
         (e->op == EXPR_SYMBOL && is_fixed(fixing, e->symbol));
}

// A product of two factors, or a quotient, that are no numbers yet.
static bool is_of_unknowns(const Fixing *fixing, const Expr *e) {
  bool is_product = e->op == EXPR_MUL || expr_is_division(e);
  return is_product && !is_number(fixing, e->args[1]) &&
         (e->op != EXPR_MUL || !is_number(fixing, e->args[0]));
}

static unsigned uses_as_factor(const Fixing *fixing, const Exprs *order,
                               const Symbol *symbol) {
  unsigned uses = 0;
  for (size_t i = 0; i < order->count; i++) {
    const Expr *e = order->at[i];
    for (unsigned k = 0; k < e->count && is_of_unknowns(fixing, e); k++) {
      const Expr *factor = expr_without_extension(e->args[k]);
      uses += factor->op == EXPR_SYMBOL && factor->symbol == symbol;
    }
  }
  return uses;
}

// Sizes, and of the arguments those that are factors most often, until no
// product needs one.
static void find_fixed(Task *task, const Exprs *from, Fixing *fixing) {
  Exprs order = {0};
  Symbols all = {0};
  ExprMap *seen = expr_map_new(task);
  for (size_t i = 0; i < from->count; i++) {
    expr_order(task, from->at[i], seen, &order);
    expr_symbols(task, from->at[i], &all);
  }
  for (size_t i = 0; i < all.count; i++)
    if (is_size(all.at[i]))
      push(&task->arena, &fixing->symbols, all.at[i]);
  for (;;) {
    Symbol *best = NULL;
    unsigned most = 0;
    for (size_t i = 0; i < all.count; i++) {
      bool is_open = is_argument(all.at[i]) && !is_fixed(fixing, all.at[i]);
      unsigned uses = is_open ? uses_as_factor(fixing, &order, all.at[i]) : 0;
      best = uses > most ? all.at[i] : best;
      most = uses > most ? uses : most;
    }
    if (!best)
      return;
    push(&task->arena, &fixing->symbols, best);
  }
}

static Expr *plain_number(Task *task, Symbol *symbol, const Fixing *fixing) {
  const Plain *plain = fixing->plain;
  for (size_t i = 0; i < fixing->symbols.count; i++)
    if (fixing->symbols.at[i] == symbol)
      return expr_const(task, symbol->width,
                        is_size(symbol) ? plain->size
                                        : plain->argument + i * plain->step);
  return expr_symbol(task, symbol);
}

// ------------------------------------------------------------ plain memory ---

static bool is_read(const Expr *e) {
  return e->op == EXPR_SYMBOL && e->symbol->kind == SYMBOL_LOAD;
}

// What the factors of products of unknowns are made of: in `order` a formula
// comes after its parts.  The place of what is read is no part of it.
static ExprMap *parts_of_factors(Task *task, const Fixing *fixing,
                                 const Exprs *order) {
  ExprMap *parts = expr_map_new(task);
  for (size_t i = order->count; i-- > 0;) {
    const Expr *e = order->at[i];
    bool is_part = expr_map_get(parts, e) && !expr_is_content(e);
    for (unsigned k = 0; k < e->count && (is_part || is_of_unknowns(fixing, e));
         k++)
      expr_map_put(task, parts, e->args[k], e->args[k]);
  }
  return parts;
}

static bool is_of_array(const Expr *content, const Exprs *arrays) {
  for (size_t i = 0; i < arrays->count; i++)
    if (content->function == arrays->at[i]->function)
      return true;
  return false;
}

// Memory from which factors come contains one number everywhere, so equal
// places have equal values.
static Exprs plain_memory(Task *task, const Fixing *fixing,
                          const Exprs *order) {
  const ExprMap *parts = parts_of_factors(task, fixing, order);
  Exprs arrays = {0}, fixed = {0};
  for (size_t i = 0; i < order->count; i++) {
    Expr *e = order->at[i];
    if (expr_is_content(e) && expr_map_get(parts, e) &&
        !is_of_array(e, &arrays))
      push(&task->arena, &arrays, e);
  }
  for (size_t i = 0; i < order->count; i++) {
    Expr *e = order->at[i];
    if (expr_is_content(e) ? is_of_array(e, &arrays)
                           : is_read(e) && expr_map_get(parts, e))
      push(&task->arena, &fixed, e);
  }
  return fixed;
}

// ------------------------------------------------------------------ fixing ---

static Expr *over_numbers(Task *task, const Fixing *fixing, ExprMap *map,
                          Expr *e) {
  if (e->op == EXPR_SYMBOL)
    return plain_number(task, e->symbol, fixing);
  Expr **args = arena_alloc(&task->arena, (e->count + 1) * sizeof *args);
  for (unsigned i = 0; i < e->count; i++)
    args[i] = expr_map_get(map, e->args[i]);
  return e->count ? expr_rebuild(task, e, args) : e;
}

static void put_numbers(Task *task, const Fixing *fixing, const Exprs *order,
                        const Exprs *fixed, ExprMap *map, Exprs *to) {
  for (size_t i = 0; i < fixed->count; i++) {
    Expr *value = fixed->at[i];
    Expr *number = expr_const(task, value->width, fixing->plain->value);
    expr_map_put(task, map, value, number);
    push(&task->arena, to, expr_eq(task, value, number));
  }
  for (size_t i = 0; i < order->count; i++)
    if (!expr_map_get(map, order->at[i]))
      expr_map_put(task, map, order->at[i],
                   over_numbers(task, fixing, map, order->at[i]));
}

bool smt_fix(Task *task, unsigned variant, const Exprs *from, Exprs *to) {
  Fixing fixing = {.plain = &plains[variant]};
  ExprMap *seen = expr_map_new(task), *map = expr_map_new(task);
  Exprs order = {0}, formulas = {0}, equal = {0};
  find_fixed(task, from, &fixing);
  for (size_t i = 0; i < from->count; i++)
    expr_order(task, from->at[i], seen, &order);
  const Exprs fixed = plain_memory(task, &fixing, &order);
  put_numbers(task, &fixing, &order, &fixed, map, &equal);
  for (size_t i = 0; i < from->count; i++)
    push(&task->arena, &formulas, expr_map_get(map, from->at[i]));
  smt_bound(task, &formulas, to);
  exprs_add(task, &equal, to);
  for (size_t i = 0; i < fixing.symbols.count; i++) {
    Symbol *symbol = fixing.symbols.at[i];
    push(&task->arena, to,
         expr_eq(task, expr_symbol(task, symbol),
                 plain_number(task, symbol, &fixing)));
  }
  return fixing.symbols.count + fixed.count > 0;
}
