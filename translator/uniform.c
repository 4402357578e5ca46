// Which values are equal in all threads.
//
// Optimistic: everything may be uniform until it is found to depend on a
// thread's id, on what a race-free neighbour may have written, or on an
// atomic.  "Equal" is meant at equal iterations of the loops around, so a
// loop counter is uniform if it starts and goes on uniformly; contexts share
// a symbol only between threads in the same iteration.
//
// Behind a loop a value is that of the thread's own last iteration.  It is
// uniform there only if threads leave the loop together: a barrier in it keeps
// them in step, or what decides about another round is uniform itself.
//
// A read of written memory is uniform if its offset is and no thread writes the
// array in the same barrier interval: then all threads of the block read one
// cell that nobody changes.  In global memory another block could change the
// cell, even with an atomic.  That is a race between the blocks, which has an
// obligation of its own.  Two cases have none, and there the read is not
// uniform: only races within a block are looked for, or the read is volatile
// and so races with nothing that is as strong, nor with the host.

#include "translator/pair.h"

typedef struct Analysis {
  Task *task;
  Kernel *kernel;
  AccessPlaces *places[2]; // of shared, of global accesses, within a block
} Analysis;

bool symbol_is_uniform(const Symbol *symbol, const Loop *here, bool grid) {
  for (const Loop *loop = symbol->loop; loop && !loop_is_inside(here, loop);
       loop = loop->parent)
    if (!loop->is_left_together[grid])
      return false;
  return grid ? symbol->is_grid_uniform : symbol->is_block_uniform;
}

// The value that `a` has within an iteration of `here`.
static bool is_expr_uniform(Task *task, Expr *a, const Loop *here, bool grid) {
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (!symbol_is_uniform(symbols.at[i], here, grid))
      return false;
  return true;
}

static bool may_change_meanwhile(const Analysis *analysis, const Stmt *read) {
  const Array *array = read->access.array;
  const AccessPlaces *places = analysis->places[array->space != SPACE_SHARED];
  for (size_t i = 0; i < analysis->kernel->stmts.count; i++) {
    const Stmt *stmt = analysis->kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.array == array &&
        access_writes(&stmt->access) &&
        places_share_interval(&places[read->number], &places[stmt->number]))
      return true;
  }
  return false;
}

static bool is_load_uniform(const Analysis *analysis, const Symbol *symbol) {
  const Stmt *read = symbol->stmt;
  if (!read || read->kind != STMT_ACCESS || read->access.kind != ACCESS_READ)
    return false;
  const Array *array = read->access.array;
  if (array->space == SPACE_PRIVATE)
    return false;
  bool is_checked = !analysis->kernel->options->only_intra_group;
  bool others_write =
      array->space == SPACE_GLOBAL &&
      (read->access.is_volatile || (array->is_written && !is_checked));
  return !others_write &&
         is_expr_uniform(analysis->task, read->access.offset, read->block->loop,
                         false) &&
         !may_change_meanwhile(analysis, read);
}

static void start(Symbol *symbol) {
  bool may_be = true;
  bool grid = true;
  switch (symbol->kind) {
  case SYMBOL_THREAD_ID:
  case SYMBOL_ATOMIC:
    may_be = grid = false;
    break;
  case SYMBOL_BLOCK_ID:
  case SYMBOL_LOAD:
    grid = false;
    break;
  case SYMBOL_UNKNOWN:
    may_be = symbol->is_vote;
    grid = false;
    break;
  case SYMBOL_BLOCK_SIZE:
  case SYMBOL_GRID_SIZE:
  case SYMBOL_PARAMETER:
  case SYMBOL_LAUNCH:
  case SYMBOL_PHI:
  case SYMBOL_ITERATION:
    break;
  }
  symbol->is_block_uniform = may_be;
  symbol->is_grid_uniform = grid;
}

static bool holds(const Analysis *analysis, const Symbol *symbol, bool grid) {
  if (symbol->kind == SYMBOL_PHI)
    return is_expr_uniform(analysis->task, symbol->init, symbol->loop->parent,
                           grid) &&
           is_expr_uniform(analysis->task, symbol->next, symbol->loop, grid);
  if (symbol->kind == SYMBOL_LOAD)
    return is_load_uniform(analysis, symbol);
  return true;
}

static bool refine(const Analysis *analysis, Symbol *symbol) {
  bool changed = false;
  if (symbol->is_block_uniform && !holds(analysis, symbol, false)) {
    symbol->is_block_uniform = false;
    changed = true;
  }
  if (symbol->is_grid_uniform && !holds(analysis, symbol, true)) {
    symbol->is_grid_uniform = false;
    changed = true;
  }
  return changed;
}

// A barrier in the loop keeps its threads in step: that they all go round is
// an obligation, see pair.c.
static bool is_kept_in_step(const Kernel *kernel, const Loop *loop, bool grid) {
  return loop_has_barrier(kernel, loop, grid ? BARRIER_GRID : BARRIER_BLOCK);
}

static bool refine_loop(const Analysis *analysis, Loop *loop) {
  bool changed = false;
  for (int grid = 0; grid < 2; grid++) {
    if (!loop->is_left_together[grid] ||
        is_kept_in_step(analysis->kernel, loop, grid) ||
        is_expr_uniform(analysis->task, loop->again, loop, grid))
      continue;
    loop->is_left_together[grid] = false;
    changed = true;
  }
  return changed;
}

void kernel_find_uniform(Task *task, Kernel *kernel) {
  Analysis analysis = {.task = task, .kernel = kernel};
  analysis.places[0] = interval_places(task, kernel, REACH_BLOCK, SPACE_SHARED);
  analysis.places[1] = interval_places(task, kernel, REACH_BLOCK, SPACE_GLOBAL);
  for (size_t i = 0; i < kernel->symbols.count; i++)
    start(kernel->symbols.at[i]);
  for (size_t i = 0; i < kernel->loops.count; i++)
    for (int grid = 0; grid < 2; grid++)
      kernel->loops.at[i]->is_left_together[grid] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < kernel->symbols.count; i++)
      changed |= refine(&analysis, kernel->symbols.at[i]);
    for (size_t i = 0; i < kernel->loops.count; i++)
      changed |= refine_loop(&analysis, kernel->loops.at[i]);
  }
}
