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
// A read of written memory is uniform if its offset is and no thread writes
// there in the same barrier interval: then all threads of the block read one
// cell that nobody changes.  Who has left the loop around a barrier meets
// nobody there who is yet to go round, for threads in lock step leave it
// together. In global memory another block could change the cell, even with an
// atomic.  That is a race between the blocks, which has an obligation of its
// own.  Two cases have none, and there the read is not uniform: only races
// within a block are looked for, or the read is volatile and so races with
// nothing that is as strong, nor with the host.

#include "translator/pair.h"

typedef struct Analysis {
  Task *task;
  Kernel *kernel;
  AccessPlaces *places[2]; // of shared, of global accesses, within a block
} Analysis;

bool symbol_is_of_launch(const Symbol *symbol) {
  switch (symbol->kind) {
  case SYMBOL_BLOCK_SIZE:
  case SYMBOL_GRID_SIZE:
  case SYMBOL_PARAMETER:
  case SYMBOL_LAUNCH:
    return true;
  case SYMBOL_THREAD_ID:
  case SYMBOL_BLOCK_ID:
  case SYMBOL_PHI:
  case SYMBOL_ITERATION:
  case SYMBOL_LOAD:
  case SYMBOL_ATOMIC:
  case SYMBOL_UNKNOWN:
    break;
  }
  return false;
}

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

// Whoever comes there goes round once more.
static bool goes_round(Task *task, const Kernel *kernel, const Stmt *stmt,
                       const Loop *loop) {
  Expr *stays = expr_and(task, stmt->guard, expr_not(task, loop->again));
  return expr_is_false(stays) && will_decide(kernel, stmt, loop);
}

// Both have entered the loop in the same iteration of all loops around it.
static bool is_one_run(const Loop *loop, const AccessPlace *a,
                       const AccessPlace *b) {
  while ((loop = loop->parent)) {
    Relation one = a->relations[loop->index], two = b->relations[loop->index];
    if (one.kind == RELATION_FREE || one.kind != two.kind ||
        one.count != two.count)
      return false;
  }
  return true;
}

// The reader has left a loop whose rounds are told apart, so that a barrier in
// it keeps all in step; and the writer is in a round that the reader did not
// make, or will make another one.
static bool has_left(const Analysis *analysis, const AccessPlace *left,
                     const Stmt *write, const AccessPlace *inside,
                     const Loop *loop) {
  Relation one = inside->relations[loop->index];
  Relation two = left->relations[loop->index];
  bool is_same = one.kind == RELATION_SAME && two.was_left;
  bool is_first = one.kind == RELATION_FIRST && two.kind == RELATION_FIRST &&
                  is_one_run(loop, inside, left);
  unsigned rounds = is_same ? two.left_after : two.count;
  if (!is_same && !is_first)
    return false;
  return one.count > rounds ||
         (one.count == rounds &&
          goes_round(analysis->task, analysis->kernel, write, loop));
}

static bool are_parted(const Analysis *analysis, const Stmt *read,
                       const AccessPlace *left, const Stmt *write,
                       const AccessPlace *inside) {
  for (const Loop *loop = write->block->loop;
       loop && !loop_contains(loop, read->block); loop = loop->parent)
    if (has_left(analysis, left, write, inside, loop))
      return true;
  return false;
}

static bool can_meet(const Analysis *analysis, const AccessPlaces *places,
                     const Stmt *read, const Stmt *write) {
  const AccessPlaces *a = &places[read->number], *b = &places[write->number];
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < b->count; k++)
      if (a->at[i].since == b->at[k].since &&
          !are_parted(analysis, read, &a->at[i], write, &b->at[k]))
        return true;
  return false;
}

static bool may_change_meanwhile(const Analysis *analysis, const Stmt *read) {
  const Array *array = read->access.array;
  const AccessPlaces *places = analysis->places[array->space != SPACE_SHARED];
  for (size_t i = 0; i < analysis->kernel->stmts.count; i++) {
    const Stmt *stmt = analysis->kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.array == array &&
        access_writes(&stmt->access) &&
        !accesses_are_apart(analysis->kernel, &read->access, &stmt->access) &&
        can_meet(analysis, places, read, stmt))
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
  if (read->access.is_seed) // others may write meanwhile
    return false;
  const Options *options = analysis->kernel->options;
  bool is_checked = !options->only_intra_group && !options->follows_order;
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
