// Threads that have nothing to do and leave.
//
// SOUND(exited-threads): a barrier of CUDA waits for the threads of its block
// that have not exited.  So those that leave before they have done anything do
// no harm: `if (i >= n) return;` at the top of a kernel with barriers.
//
// Such a kernel has a place, in no loop, that every way to a barrier passes,
// and every way to a statement that others might notice.  Who comes there is
// present; the others exit without a barrier and without an access that could
// meet another one.  That everybody is present is a premise of divergence
// alone: whoever is in a race has come past that place.
//
// Only barriers of a whole block wait so.  A kernel in which lanes exchange
// anything, in which warps or the grid wait, or votes are counted, has no such
// premise.

#include "translator/translator.h"

// The basic blocks that a way from the entry comes to without passing `place`.
// Back edges lead to where it has been.
static bool *reached_without(Task *task, const Kernel *kernel,
                             const BasicBlock *place) {
  size_t count = kernel->blocks.count;
  bool *is_reached = arena_alloc(&task->arena, count * sizeof *is_reached);
  is_reached[0] = kernel->blocks.at[0] != place;
  for (size_t i = 0; i < count; i++) {
    const BasicBlock *block = kernel->blocks.at[i];
    for (size_t k = 0; is_reached[i] && k < block->out.count; k++) {
      const BasicBlock *to = block->out.at[k]->to;
      is_reached[to->index] |= to != place;
    }
  }
  return is_reached;
}

// By another thread.  What nobody writes anyone may read.
static bool may_be_noticed(const Stmt *stmt) {
  switch (stmt->kind) {
  case STMT_ASSUME:
  case STMT_ASSERT:
  case STMT_CLAIM:
    return false;
  case STMT_ACCESS:
    return stmt->access.kind != ACCESS_READ || stmt->access.is_volatile ||
           stmt->access.array->is_written;
  case STMT_LOOK:
    return stmt->access.array->is_written;
  case STMT_BARRIER:
  case STMT_FENCE:
    break;
  }
  return true;
}

// Who is in it stays, and has not exited.
static bool is_endless(const Loop *loop) {
  for (size_t i = 0; i < loop->blocks.count; i++) {
    const BasicBlock *block = loop->blocks.at[i];
    for (size_t k = 0; k < block->out.count; k++)
      if (!loop_contains(loop, block->out.at[k]->to))
        return false;
  }
  return true;
}

static bool may_stay(const Kernel *kernel, const bool *is_reached) {
  for (size_t i = 0; i < kernel->blocks.count; i++)
    for (const Loop *loop = kernel->blocks.at[i]->loop; is_reached[i] && loop;
         loop = loop->parent)
      if (is_endless(loop))
        return true;
  return false;
}

static bool is_place(Task *task, const Kernel *kernel,
                     const BasicBlock *place) {
  const bool *is_reached = reached_without(task, kernel, place);
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (may_be_noticed(stmt) && is_reached[stmt->block->index])
      return false;
  }
  return !place->loop && !may_stay(kernel, is_reached);
}

static bool has_votes(const Kernel *kernel) {
  for (size_t i = 0; i < kernel->symbols.count; i++)
    if (kernel->symbols.at[i]->is_vote)
      return true;
  return false;
}

static const BasicBlock *first_barrier(const Kernel *kernel) {
  const BasicBlock *first = NULL;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind != STMT_BARRIER)
      continue;
    if (stmt->barrier.kind != BARRIER_BLOCK)
      return NULL;
    first = first ? first : stmt->block;
  }
  return first;
}

void kernel_find_exited(Task *task, Kernel *kernel) {
  const BasicBlock *barrier = first_barrier(kernel);
  if (!barrier || kernel->is_opencl || has_votes(kernel))
    return;
  for (unsigned i = barrier->index + 1; i-- > 0;) {
    const BasicBlock *place = kernel->blocks.at[i];
    if (!is_place(task, kernel, place))
      continue;
    premise_add(task, kernel, PREMISE_EXITED_THREADS,
                (Premise){.fact = place->guard});
    return;
  }
}
