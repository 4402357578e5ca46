// Which values something to be proved can depend on.
//
// An obligation speaks of where statements are, whom they meet and what they
// check: of guards, offsets, lengths, masks and conditions, and of whether the
// loops around go on.  From there it is a matter of where values come from: a
// loop-carried value is made of its value on entry and of what an iteration
// makes of it, and how often that happened is up to its loop.  What is left
// over, such as sums that are only stored, and random states, has no bearing
// on any obligation, so guesses about it, and what it was an iteration
// earlier, would be a waste.

#include "translator/translator.h"

typedef struct Cone {
  Task *task;
  const Kernel *kernel;
  ExprMap *seen;
  Exprs open; // symbols of `seen` whose origins are not yet there
} Cone;

static void reach(Cone *cone, Expr *e) {
  Exprs order = {0};
  if (!e)
    return;
  expr_order(cone->task, e, cone->seen, &order);
  for (size_t i = 0; i < order.count; i++)
    if (order.at[i]->op == EXPR_SYMBOL)
      push(&cone->task->arena, &cone->open, order.at[i]);
}

static void reach_loops(Cone *cone, const Loop *loop) {
  for (; loop; loop = loop->parent) {
    reach(cone, loop->entry);
    reach(cone, loop->again);
  }
}

// What an atomic returns depends on what all do that change the array.
static void reach_operands(Cone *cone, const Array *array) {
  for (size_t i = 0; i < cone->kernel->stmts.count; i++) {
    const Stmt *stmt = cone->kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.array == array)
      reach(cone, stmt->access.operand);
  }
}

// What is read is what was written, where contents.c, or cells.c, knows what
// that is.
static void reach_values(Cone *cone, const Array *array) {
  const Kernel *kernel = cone->kernel;
  if (!kernel->barrier_invariants.count && !cells_may_tell(kernel, array))
    return;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.array == array) {
      reach(cone, stmt->access.value);
      reach(cone, stmt->access.operand);
    }
  }
}

// What a shuffle returns is what another lane had.
static void reach_passed(Cone *cone, const Symbol *symbol) {
  const Kernel *kernel = cone->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Barrier *barrier = &kernel->stmts.at[i]->barrier;
    if (barrier->passed != symbol)
      continue;
    reach(cone, barrier->value);
    reach(cone, barrier->from);
  }
}

static void reach_origin(Cone *cone, const Symbol *symbol) {
  if (symbol->kind == SYMBOL_LOAD && symbol->stmt)
    reach_values(cone, symbol->stmt->access.array);
  if (symbol->kind == SYMBOL_ATOMIC && symbol->stmt)
    reach_operands(cone, symbol->stmt->access.array);
  if (symbol->kind == SYMBOL_UNKNOWN)
    reach_passed(cone, symbol);
  if (symbol->ghost) {
    reach(cone, symbol->ghost->value);
    reach(cone, symbol->ghost->guard);
  }
  if (symbol->kind == SYMBOL_PHI) {
    reach(cone, symbol->init);
    reach(cone, symbol->next);
  }
  if (symbol->kind == SYMBOL_PHI || symbol->kind == SYMBOL_ITERATION)
    reach_loops(cone, symbol->loop);
}

static bool is_proved_about(const Kernel *kernel, const Stmt *stmt) {
  return stmt->kind != STMT_ACCESS ||
         stmt->access.array->space != SPACE_PRIVATE ||
         kernel->options->check_array_bounds;
}

static void reach_statement(Cone *cone, const Stmt *stmt) {
  reach(cone, stmt->guard);
  reach(cone, stmt->access.offset);
  reach(cone, stmt->access.length);
  reach(cone, stmt->barrier.mask);
  reach(cone, stmt->barrier.chosen);
  reach(cone, stmt->condition);
  for (size_t i = 0; i < stmt->barrier.alike.count; i++)
    reach(cone, stmt->barrier.alike.at[i]);
  reach_loops(cone, stmt->block->loop);
}

// The user's invariants.
static void reach_asserted(Cone *cone, const Loop *loop) {
  for (size_t i = 0; i < loop->asserted.count; i++)
    reach(cone, loop->asserted.at[i]->condition);
  if (loop->asserted.count)
    reach_loops(cone, loop);
}

void kernel_find_relevant(Task *task, Kernel *kernel) {
  Cone cone = {.task = task, .kernel = kernel, .seen = expr_map_new(task)};
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (is_proved_about(kernel, kernel->stmts.at[i]))
      reach_statement(&cone, kernel->stmts.at[i]);
  for (size_t i = 0; i < kernel->loops.count; i++)
    reach_asserted(&cone, kernel->loops.at[i]);
  while (cone.open.count) {
    Symbol *symbol = cone.open.at[--cone.open.count]->symbol;
    symbol->is_relevant = true;
    reach_origin(&cone, symbol);
  }
}
