// Facts that real programs keep to and that no code checks.
//
// A proof begins without them.  Where it needs one, the verdict names it
// (smt/ladder.c); --assume=NAME takes it from the start.  So each is about what
// a reader of the name expects and nothing else:
//
// SOUND(no-signed-overflow): what the language says of signed arithmetic, of
// the instructions that a thread has executed, and of signed loop counters.
// SOUND(sizes-fit): the product of two sizes that the host gives, where the
// kernel multiplies one of them by what is below the other one.
// SOUND(arguments-not-negative): signed arguments that an index, a bound or a
// condition is made of.

#include "translator/translator.h"

#include <string.h>

static const char *const names[] = {
#define PREMISE(kind, name) name,
#include "translator/premises.def"
#undef PREMISE
};

const char *premise_name(PremiseKind kind) { return names[kind]; }

bool premise_find(const char *name, size_t length, PremiseKind *kind) {
  for (unsigned i = 0; i < PREMISES; i++)
    if (strlen(names[i]) == length && !strncmp(names[i], name, length)) {
      *kind = (PremiseKind)i;
      return true;
    }
  return false;
}

void premise_add(Task *task, Kernel *kernel, PremiseKind kind,
                 Premise premise) {
  if (!expr_is_true(premise.fact))
    push(&task->arena, &kernel->premises[kind], premise);
}

// ------------------------------------------------------------- arguments ---

// Symbols that decide where and how often memory is accessed.
static void add_deciding(Task *task, const Kernel *kernel, Symbols *symbols) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    expr_symbols(task, stmt->guard, symbols);
    if (stmt->kind == STMT_ACCESS)
      expr_symbols(task, stmt->access.offset, symbols);
  }
  for (size_t i = 0; i < kernel->loops.count; i++)
    expr_symbols(task, kernel->loops.at[i]->again, symbols);
}

static Expr *is_not_negative(Task *task, Expr *a) {
  return expr_binary(task, EXPR_SLE, expr_const(task, a->width, 0), a);
}

static void add_arguments(Task *task, Kernel *kernel, const Symbols *deciding) {
  for (size_t i = 0; i < deciding->count; i++) {
    const Symbol *symbol = deciding->at[i];
    if (symbol->kind == SYMBOL_PARAMETER && symbol->is_signed)
      premise_add(task, kernel, PREMISE_ARGUMENTS_NOT_NEGATIVE,
                  (Premise){.fact = is_not_negative(task, symbol->expr)});
  }
}

// -------------------------------------------------------------- products ---

// An argument or a size of the launch by itself.
static bool is_of_launch(const Expr *a) {
  while (a->op == EXPR_ZEXT || a->op == EXPR_SEXT)
    a = a->args[0];
  return a->op == EXPR_SYMBOL && (a->symbol->kind == SYMBOL_PARAMETER ||
                                  a->symbol->kind == SYMBOL_BLOCK_SIZE ||
                                  a->symbol->kind == SYMBOL_GRID_SIZE);
}

// What may be meant as a negative number says nothing of sizes.
static Expr *is_size(Task *task, Expr *a) {
  Expr *size = expr_bool(task, true);
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->kind == SYMBOL_PARAMETER && !symbols.at[i]->is_unsigned)
      size = expr_and(task, size, is_not_negative(task, symbols.at[i]->expr));
  return size;
}

static void add_product(Task *task, Kernel *kernel, const SizeProduct *product,
                        Expr *a, Expr *b) {
  unsigned wide = 2 * a->width;
  Expr *exact =
      expr_mul(task, expr_zext(task, a, wide), expr_zext(task, b, wide));
  Expr *limit = expr_binary(task, EXPR_SHL, expr_const(task, wide, 1),
                            expr_const(task, wide, a->width));
  Expr *fits = expr_binary(task, EXPR_ULT, exact, limit);
  Expr *sizes = expr_and(task, is_size(task, a), is_size(task, b));
  Premise premise = product->place;
  premise.fact =
      expr_implies(task, expr_and(task, product->place.fact, sizes), fits);
  premise_add(task, kernel, PREMISE_SIZES_FIT, premise);
}

// For each `x < size` that holds there, of which x is not negative.
static void add_bounded(Task *task, Kernel *kernel, const SizeProduct *product,
                        Expr *condition, Expr *x, Expr *size) {
  for (unsigned i = 0; condition->op == EXPR_AND && i < condition->count; i++)
    add_bounded(task, kernel, product, condition->args[i], x, size);
  bool is_less = condition->op == EXPR_ULT || condition->op == EXPR_SLT;
  if (!is_less || condition->args[0] != x || !is_of_launch(condition->args[1]))
    return;
  SizeProduct natural = *product;
  if (condition->op == EXPR_SLT)
    natural.place.fact =
        expr_and(task, natural.place.fact, is_not_negative(task, x));
  add_product(task, kernel, &natural, condition->args[1], size);
}

static void add_products(Task *task, Kernel *kernel) {
  for (size_t i = 0; i < kernel->products.count; i++) {
    const SizeProduct *product = &kernel->products.at[i];
    for (unsigned k = 0; k < 2; k++) {
      Expr *x = product->factor[k], *size = product->factor[1 - k];
      if (is_of_launch(size) && !is_of_launch(x))
        add_bounded(task, kernel, product, product->place.fact, x, size);
    }
  }
}

void kernel_find_premises(Task *task, Kernel *kernel) {
  Symbols deciding = {0};
  add_deciding(task, kernel, &deciding);
  add_arguments(task, kernel, &deciding);
  add_products(task, kernel);
}
