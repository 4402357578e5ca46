// What an invariant of a barrier says of the threads that its annotation names.
//
// A thread of the block that exists and has come to the barrier has proved the
// invariant of itself.  So it holds with that thread's values in the place of
// the caller's: of these those are known which follow from its number along x,
// or are uniform, and what it has looked at is what memory contained when all
// had come.  Everything else is anything.

#include "translator/contents.h"

// The formulas of another thread that has come to the barrier.
typedef struct Named {
  const Follower *follower;
  const BarrierInvariant *invariant;
  struct Named *other; // of an invariant about two, or NULL
  Expr *thread;        // its number along x
  bool is_self;
  Expr **values; // by Symbol.number: what is known of those values
  size_t count;
  Substitution substitution;
} Named;

static Expr *value_in(Named *named, Expr *a) {
  return expr_substitute(named->follower->task, &named->substitution, a);
}

static bool acts(const Stmt *stmt) {
  return stmt->kind == STMT_ACCESS || stmt->kind == STMT_BARRIER ||
         stmt->kind == STMT_FENCE;
}

// Nothing lies between the look and the barrier, but what annotations do.
static bool is_seen_at(const Kernel *kernel, const Stmt *look,
                       const Stmt *barrier) {
  for (size_t i = look->block->index; i <= barrier->block->index; i++)
    if (kernel->blocks.at[i]->loop != barrier->block->loop)
      return false;
  for (size_t i = look->number; i < barrier->number; i++)
    if (acts(kernel->stmts.at[i]))
      return false;
  return look->number < barrier->number;
}

static bool is_contents(const Named *named, const Symbol *symbol) {
  const Stmt *look = symbol->stmt, *barrier = named->invariant->barrier;
  return symbol->kind == SYMBOL_LOAD && look && look->kind == STMT_LOOK &&
         contents_is_plain_read(look) &&
         is_seen_at(named->follower->kernel, look, barrier) &&
         barrier_orders(barrier, REACH_BLOCK, look->access.array->space) &&
         contents_are_followed(named->follower, look->access.array);
}

static Expr *anything_in(const Named *named, const Symbol *symbol) {
  return contents_anything(named->follower, symbol,
                           named->invariant->barrier->block->loop);
}

// Both are at the barrier, in one block.
static Expr *ghost_value(Named *named, const Symbol *symbol) {
  const Ghost *ghost = symbol->ghost;
  switch (ghost->kind) {
  case GHOST_OTHER:
    return named->other ? value_in(named->other, ghost->value)
                        : anything_in(named, symbol);
  case GHOST_HERE:
  case GHOST_ENABLED: // in the branch of the annotation that asks
    return value_in(named, ghost->value);
  case GHOST_SAME_GROUP:
    return expr_bool(named->follower->task, true);
  case GHOST_OCCURRED:
  case GHOST_OFFSET:
    break;
  }
  return anything_in(named, symbol);
}

static Expr *find_value(Named *named, Symbol *symbol) {
  const Follower *follower = named->follower;
  const Stmt *barrier = named->invariant->barrier;
  if (is_contents(named, symbol)) {
    const Access *access = &symbol->stmt->access;
    return contents_at_barrier(follower, barrier, NULL, access->array,
                               value_in(named, access->offset), symbol->width);
  }
  if (symbol->ghost)
    return ghost_value(named, symbol);
  if (symbol->kind == SYMBOL_THREAD_ID)
    return symbol->axis ? symbol->expr : named->thread;
  if (named->is_self || symbol_is_uniform(symbol, barrier->block->loop, false))
    return symbol->expr;
  return symbol->kind == SYMBOL_PHI && symbol->closed
             ? value_in(named, symbol->closed)
             : anything_in(named, symbol);
}

static Expr *replace_named(Task *task, Symbol *symbol, void *data) {
  (void)task;
  Named *named = data;
  Expr **value = &named->values[symbol->number];
  if (!*value)
    *value = find_value(named, symbol);
  return *value;
}

static void name(Named *named, const Follower *follower,
                 const BarrierInvariant *invariant, const NamedThread *thread) {
  Task *task = follower->task;
  const Kernel *kernel = follower->kernel;
  *named = (Named){.follower = follower,
                   .invariant = invariant,
                   .is_self = thread->thread == kernel->thread_id[0],
                   .thread = expr_to_width(task, thread->thread,
                                           kernel->thread_id[0]->width, true),
                   .values = arena_alloc(&task->arena, kernel->symbols.count *
                                                           sizeof(Expr *)),
                   .substitution = {.replace = replace_named, .data = named}};
}

// It has proved the invariant of itself.
static Expr *is_there(Named *named, const NamedThread *thread) {
  return expr_and(named->follower->task, thread->exists,
                  value_in(named, named->invariant->check->guard));
}

static void use(Follower *follower, const BarrierInvariant *invariant,
                const NamedThreads *threads) {
  Task *task = follower->task;
  Named self, other;
  name(&self, follower, invariant, &threads->self);
  Expr *there = is_there(&self, &threads->self);
  if (invariant->is_of_two) {
    name(&other, follower, invariant, &threads->other);
    self.other = &other;
    there = expr_and(task, there, is_there(&other, &threads->other));
    there = expr_and(task, there,
                     expr_not(task, expr_eq(task, self.thread, other.thread)));
  }
  contents_add(
      follower, invariant->barrier,
      expr_implies(task, there, value_in(&self, invariant->check->condition)));
}

// Where both have the same, what is at an address of one is what the other has
// found at its own.
static void want_alike(const Follower *follower,
                       const BarrierInvariant *invariant) {
  const Loop *here = invariant->barrier->block->loop;
  Symbols symbols = {0};
  for (size_t i = 0; i < invariant->alike.count; i++)
    expr_symbols(follower->task, invariant->alike.at[i], &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (!symbol_is_uniform(symbols.at[i], here, false))
      unsupported(follower->task, invariant->check->loc,
                  "a barrier invariant about an address that two threads "
                  "make together");
}

// Do all threads of the block come to it together, in the same iteration of the
// loops around?
static bool is_of_block(const Barrier *barrier) {
  switch (barrier->kind) {
  case BARRIER_BLOCK:
  case BARRIER_GRID:
    return true;
  case BARRIER_WARP:
  case BARRIER_LANES:
  case BARRIER_SUB_GROUP:
  case BARRIER_COPY:
  case BARRIER_EVENT:
    break;
  }
  return false;
}

void contents_use(Follower *follower, const BarrierInvariant *invariant) {
  if (!is_of_block(&invariant->barrier->barrier))
    unsupported(follower->task, invariant->check->loc,
                "an invariant at a barrier that is not one of the block");
  want_alike(follower, invariant);
  for (size_t i = 0; i < invariant->named.count; i++)
    use(follower, invariant, &invariant->named.at[i]);
}
