// Order by fences and atomics that we do not follow.
//
// A thread publishes what it wrote with a fence and something strong; another
// one learns of it from an atomic at the same array, and only then reads: that
// is how the last block of a grid finds out that it is the last, and how a lock
// is handed on.  Whether the values make it so is beyond the two-thread
// program, where an atomic returns anything.  So a race that such a pattern
// might exclude is not claimed: SOUND(fences).  Where the fence or the atomic
// is missing, the race is reported.  Atomics in shared memory tell threads of a
// block alone.

#include "translator/pair.h"

// Control can go from one statement to the other, round loops too.
bool can_follow(Task *task, const Kernel *kernel, const Stmt *from,
                const Stmt *to) {
  if (from->block == to->block && from->number < to->number)
    return true;
  bool *seen = arena_alloc(&task->arena, kernel->blocks.count);
  Vec(const BasicBlock *) work = {0};
  push(&task->arena, &work, from->block);
  while (work.count) {
    const BasicBlock *block = work.at[--work.count];
    for (size_t i = 0; i < block->out.count; i++) {
      const BasicBlock *next = block->out.at[i]->to;
      if (next == to->block)
        return true;
      if (!seen[next->index])
        push(&task->arena, &work, next);
      seen[next->index] = true;
    }
  }
  return false;
}

// An atomic, or what is as strong.
static bool is_atomic_at(const Stmt *stmt, const Array *array) {
  return stmt->kind == STMT_ACCESS && access_is_strong(&stmt->access) &&
         stmt->access.array == array;
}

// ... at memory that both threads have.
static bool is_common_atomic(const Stmt *stmt, bool same_block) {
  if (stmt->kind != STMT_ACCESS || !access_is_strong(&stmt->access))
    return false;
  Space space = stmt->access.array->space;
  return space == SPACE_GLOBAL || (same_block && space == SPACE_SHARED);
}

// A fence behind the access, or anywhere, and the atomic behind the fence; or
// an atomic that is both.
static bool publishes(Task *task, const Kernel *kernel, const Stmt *access,
                      const Stmt *atomic, Scope scope) {
  if (atomic->access.releases &&
      (!access || can_follow(task, kernel, access, atomic)))
    return true;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *fence = kernel->stmts.at[i];
    if (fence->kind == STMT_FENCE && fence->scope >= scope &&
        (!access || can_follow(task, kernel, access, fence)) &&
        can_follow(task, kernel, fence, atomic))
      return true;
  }
  return false;
}

// What others may have written.
static bool is_learned(const Symbol *symbol) {
  switch (symbol->kind) {
  case SYMBOL_LOAD:
    return !symbol->stmt || symbol->stmt->access.array->is_written;
  case SYMBOL_ATOMIC:
  case SYMBOL_UNKNOWN:
    return true;
  case SYMBOL_THREAD_ID:
  case SYMBOL_BLOCK_ID:
  case SYMBOL_BLOCK_SIZE:
  case SYMBOL_GRID_SIZE:
  case SYMBOL_PARAMETER:
  case SYMBOL_LAUNCH:
  case SYMBOL_PHI:
  case SYMBOL_ITERATION:
    break;
  }
  return false;
}

static bool depends_on_learned(Task *task, Expr *a) {
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (is_learned(symbols.at[i]))
      return true;
  return false;
}

// What it learns there, in this round or by what the loop carries, decides
// whether it goes on.
static bool spins(Task *task, const Loop *loop) {
  if (depends_on_learned(task, loop->again))
    return true;
  for (size_t i = 0; i < loop->phis.count; i++)
    if (expr_mentions(task, loop->again, loop->phis.at[i]) &&
        depends_on_learned(task, loop->phis.at[i]->next))
      return true;
  return false;
}

// It spins at the atomic until it learns.
static bool waits_at(Task *task, const Stmt *atomic, const Stmt *access) {
  const Loop *loop = atomic->block->loop;
  return loop && !loop_contains(loop, access->block) && spins(task, loop);
}

static bool learns(Task *task, const Kernel *kernel, const Array *array,
                   const Stmt *access) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *atomic = kernel->stmts.at[i];
    if (is_atomic_at(atomic, array) &&
        can_follow(task, kernel, atomic, access) &&
        (waits_at(task, atomic, access) ||
         depends_on_learned(task, access->guard)))
      return true;
  }
  return false;
}

// `second` learned from the array of the atomic that `first` is over, or that
// it is its own turn and not that of `first`.
static bool may_be_told(Task *task, const Kernel *kernel, const Stmt *first,
                        const Stmt *atomic, const Stmt *second, Scope scope) {
  const Array *array = atomic->access.array;
  if (!learns(task, kernel, array, second))
    return false;
  return is_atomic_at(first, array) ||
         publishes(task, kernel, first, atomic, scope) ||
         (publishes(task, kernel, NULL, atomic, scope) &&
          learns(task, kernel, array, first));
}

bool order_may_exist(Task *task, const Kernel *kernel, const Stmt *a,
                     const Stmt *b, bool same_block) {
  Scope scope = same_block ? SCOPE_BLOCK : SCOPE_CLUSTER;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *atomic = kernel->stmts.at[i];
    if (is_common_atomic(atomic, same_block) &&
        (may_be_told(task, kernel, a, atomic, b, scope) ||
         may_be_told(task, kernel, b, atomic, a, scope)))
      return true;
  }
  return false;
}
