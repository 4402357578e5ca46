// Facts that real programs keep to and that no code checks.
//
// A proof begins without them.  Where it needs one, the verdict names it
// (smt/ladder.c); --assume=NAME takes it from the start.  So each is about what
// a reader of the name expects and nothing else:
//
// SOUND(exited-threads): exited.c.
// SOUND(seed-reads): no fact but races that are told, see pair.c.
// SOUND(no-signed-overflow): what the language says of signed arithmetic, of
// the instructions that a thread has executed, and of signed loop counters.
// SOUND(no-division-by-zero): what the language says of a divisor, of the
// instructions that a thread has executed.
// SOUND(whole-warps): the number of a block's threads.
// SOUND(sizes-fit): sizes.c, and counters.c.
// SOUND(rows-fit): rows.c.
// SOUND(arguments-not-negative): signed arguments that an index, a bound or a
// condition is made of.
// SOUND(atomics-start-at-zero): tickets.c and flags.c.
// SOUND(loose-fences): leader.c.
// SOUND(full-launch-bounds): the number of a block's threads, see
// from_llvm_launch.c.
// SOUND(pointers-apart): from_llvm_found.c.
// SOUND(whole-program): what the host's code says of launches if nobody else
// calls its functions, see from_llvm_host.c.

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

void kernel_assume(Task *task, Kernel *kernel, const char *name) {
  for (size_t i = 0; i < kernel->assumptions.count; i++)
    if (strcmp(kernel->assumptions.at[i], name) == 0)
      return;
  push(&task->arena, &kernel->assumptions, name);
}

// ------------------------------------------------------------- arguments ---

// What loops carry is made of what they begin with, and of what is added.
static void add_carried(Task *task, Symbols *symbols) {
  size_t known = 0;
  while (known != symbols->count) { // they are sorted when more are found
    known = symbols->count;
    for (size_t i = 0; i < symbols->count; i++) {
      const Symbol *symbol = symbols->at[i];
      if (symbol->kind != SYMBOL_PHI)
        continue;
      expr_symbols(task, symbol->init, symbols);
      expr_symbols(task, symbol->next, symbols);
    }
  }
}

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
  add_carried(task, symbols);
}

Expr *premise_is_natural(Task *task, Expr *a) {
  return expr_binary(task, EXPR_SLE, expr_const(task, a->width, 0), a);
}

static void add_arguments(Task *task, Kernel *kernel, const Symbols *deciding) {
  for (size_t i = 0; i < deciding->count; i++) {
    const Symbol *symbol = deciding->at[i];
    if (symbol->kind == SYMBOL_PARAMETER && symbol->is_signed &&
        !symbol->is_member && !symbol->is_shown_negative)
      premise_add(task, kernel, PREMISE_ARGUMENTS_NOT_NEGATIVE,
                  (Premise){.fact = premise_is_natural(task, symbol->expr)});
  }
}

// ----------------------------------------------------------------- warps ---

// Is it x / n, x % n or the like where whole warps have whole parts of n?
static bool is_part_of_warp(const Expr *e, uint64_t lanes) {
  if (e->count != 2 || !expr_is_const(e->args[1]))
    return false;
  uint64_t number = e->args[1]->value;
  switch ((unsigned)e->op) {
  case EXPR_UDIV:
  case EXPR_UREM:
  case EXPR_SDIV:
  case EXPR_SREM:
    return number > 1 && lanes % number == 0;
  case EXPR_AND:
    return number && number < lanes && lanes % (number + 1) == 0;
  case EXPR_LSHR:
  case EXPR_ASHR:
    return number && number < lanes && lanes >> number;
  }
  return false;
}

static bool is_about_threads(Task *task, Expr *e) {
  Symbols symbols = {0};
  expr_symbols(task, e, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->kind == SYMBOL_THREAD_ID ||
        symbols.at[i]->kind == SYMBOL_BLOCK_SIZE)
      return true;
  return false;
}

static Exprs terms_of(Task *task, const Kernel *kernel) {
  Exprs terms = {0};
  ExprMap *seen = expr_map_new(task);
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    expr_order(task, stmt->guard, seen, &terms);
    if (stmt->kind == STMT_ACCESS)
      expr_order(task, stmt->access.offset, seen, &terms);
  }
  for (size_t i = 0; i < kernel->loops.count; i++)
    expr_order(task, kernel->loops.at[i]->again, seen, &terms);
  for (size_t i = 0; i < kernel->symbols.count; i++)
    if (kernel->symbols.at[i]->init)
      expr_order(task, kernel->symbols.at[i]->init, seen, &terms);
  return terms;
}

static bool counts_warps(Task *task, const Kernel *kernel) {
  Exprs terms = terms_of(task, kernel);
  for (size_t i = 0; i < terms.count; i++)
    if (is_part_of_warp(terms.at[i], kernel->warp_lanes) &&
        is_about_threads(task, terms.at[i]))
      return true;
  return false;
}

// The launch limits see to it that the product does not wrap.
static void add_warps(Task *task, Kernel *kernel) {
  Expr *threads = expr_mul(
      task, expr_mul(task, kernel->block_size[0], kernel->block_size[1]),
      kernel->block_size[2]);
  Expr *rest =
      expr_binary(task, EXPR_UREM, threads,
                  expr_const(task, threads->width, kernel->warp_lanes));
  Expr *fact = expr_eq(task, rest, expr_const(task, rest->width, 0));
  if (!expr_is_const(fact) && counts_warps(task, kernel))
    premise_add(task, kernel, PREMISE_WHOLE_WARPS, (Premise){.fact = fact});
}

void kernel_find_premises(Task *task, Kernel *kernel) {
  Symbols deciding = {0};
  add_warps(task, kernel);
  add_deciding(task, kernel, &deciding);
  add_arguments(task, kernel, &deciding);
  kernel_find_sizes(task, kernel);
  kernel_find_rows(task, kernel);
  kernel_find_exited(task, kernel);
}
