// Facts that real programs keep to and that no code checks.
//
// A proof begins without them.  Where it needs one, the verdict names it
// (smt/ladder.c); --assume=NAME takes it from the start.  So each is about what
// a reader of the name expects and nothing else:
//
// SOUND(no-signed-overflow): what the language says of signed arithmetic, of
// the instructions that a thread has executed, and of signed loop counters.
// SOUND(sizes-fit): sizes.c, and counters.c.
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

Expr *premise_is_natural(Task *task, Expr *a) {
  return expr_binary(task, EXPR_SLE, expr_const(task, a->width, 0), a);
}

static void add_arguments(Task *task, Kernel *kernel, const Symbols *deciding) {
  for (size_t i = 0; i < deciding->count; i++) {
    const Symbol *symbol = deciding->at[i];
    if (symbol->kind == SYMBOL_PARAMETER && symbol->is_signed)
      premise_add(task, kernel, PREMISE_ARGUMENTS_NOT_NEGATIVE,
                  (Premise){.fact = premise_is_natural(task, symbol->expr)});
  }
}

void kernel_find_premises(Task *task, Kernel *kernel) {
  Symbols deciding = {0};
  add_deciding(task, kernel, &deciding);
  add_arguments(task, kernel, &deciding);
  kernel_find_sizes(task, kernel);
}
