// What memory contains.
//
// A read of written memory returns anything (SOUND(other-threads)).  Where the
// user says at barriers what memory contains (Kernel.barrier_invariants) more
// is known.  Memory as it is when all threads of a block have come to a barrier
// is a function of the place, one for each time that they do; what a thread
// reads from there on is that, or what it has written there itself: for if
// somebody else has, that is a race, which is an obligation of its own.  And
// each thread has proved the invariant of itself before it went to the barrier,
// so it holds of all who were there, whom an annotation may name.
//
// The cell that is read is followed in the order of the text, up to the read.
// Of a loop on the way in which it may change nothing is known, nor of what
// other iterations of a loop around have left.  A thread that is named is
// another one: of its values those are known which follow from its number, or
// are uniform.

#include "translator/pair.h"

typedef struct Follower {
  Task *task;
  Kernel *kernel;
  ExprMap *divisors; // see overlap.c
} Follower;

// ---------------------------------------------------------------- arrays ---

// What races with none, or at any time.
static bool is_unruly(const Access *access) {
  return access_writes(access) && (access->kind == ACCESS_ATOMIC ||
                                   access->is_volatile || access->event);
}

// Whoever writes it and is not ordered by a barrier races with who reads it,
// and races are looked for.
static bool is_followed(const Follower *follower, const Array *array) {
  const Kernel *kernel = follower->kernel;
  const Options *options = kernel->options;
  bool is_known = array->space == SPACE_SHARED ||
                  (array->space == SPACE_GLOBAL && !options->only_intra_group);
  bool all_race = !options->warp_sync; // and not only some of them
  if (!is_known || !all_race || options->check_arrays)
    return false;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.array == array &&
        is_unruly(&stmt->access))
      return false;
  }
  return true;
}

// Others may have written, or the thread itself.
static bool may_change(const Stmt *stmt, const Array *array) {
  if (stmt->kind == STMT_ACCESS)
    return stmt->access.array == array && access_writes(&stmt->access);
  return barrier_orders(stmt, REACH_WARP, array->space);
}

static bool may_change_in(const Kernel *kernel, const Loop *loop,
                          const Array *array) {
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (loop_contains(loop, kernel->stmts.at[i]->block) &&
        may_change(kernel->stmts.at[i], array))
      return true;
  return false;
}

// What is there when all have come to the barrier.
static Expr *at_barrier(const Follower *follower, const Stmt *barrier,
                        const Array *array, Expr *offset, unsigned bits) {
  Task *task = follower->task;
  const Kernel *kernel = follower->kernel;
  Exprs args = {0};
  push(&task->arena, &args, offset);
  for (unsigned axis = 0; axis < 3; axis++)
    push(&task->arena, &args, kernel->block_id[axis]);
  for (const Loop *loop = barrier->block->loop; loop; loop = loop->parent)
    push(&task->arena, &args, loop->iteration->expr);
  const char *function = arena_printf(&task->arena, "%s.%u.%u@%u", array->name,
                                      array->number, bits, barrier->number);
  return expr_apply(task, function, bits, args.at, (unsigned)args.count);
}

// ------------------------------------------------------------- one's own ---

// The cell that is read, as it changes.
typedef struct Cell {
  Follower *follower;
  const Stmt *read;
  Expr *unknown; // what is read, of which nothing is known
  Expr *now;
} Cell;

static void pass_write(Cell *cell, const Stmt *stmt) {
  Task *task = cell->follower->task;
  const Access *write = &stmt->access, *read = &cell->read->access;
  Expr *now = cell->now;
  if (!write->value) {
    cell->now = expr_ite(task, stmt->guard, cell->unknown, now);
    return;
  }
  Expr *here = expr_eq(task, write->offset, read->offset);
  Expr *touched = bytes_overlap(task, cell->follower->divisors, write->offset,
                                write->length, read->offset, read->length);
  now = expr_ite(task, touched, cell->unknown, now);
  if (write->length == read->length)
    now = expr_ite(task, here, write->value, now);
  cell->now = expr_ite(task, stmt->guard, now, cell->now);
}

static void pass_barrier(Cell *cell, const Stmt *barrier) {
  Task *task = cell->follower->task;
  const Access *read = &cell->read->access;
  Expr *then = cell->unknown;
  if (barrier_orders(barrier, REACH_BLOCK, read->array->space))
    then = at_barrier(cell->follower, barrier, read->array, read->offset,
                      cell->unknown->width);
  cell->now = expr_ite(task, barrier->guard, then, cell->now);
}

static void pass(Cell *cell, const Stmt *stmt) {
  if (!may_change(stmt, cell->read->access.array))
    return;
  if (stmt->kind == STMT_ACCESS)
    pass_write(cell, stmt);
  else
    pass_barrier(cell, stmt);
}

// The reader is in a loop that the block is behind, and has not come there.
static bool is_ahead(const BasicBlock *block, const Stmt *read) {
  for (const Loop *loop = read->block->loop; loop; loop = loop->parent)
    if (!loop_contains(loop, block) && block->index > loop->header->index)
      return true;
  return false;
}

// A loop that the reader is in, or has left.
static void pass_header(Cell *cell, const Loop *loop) {
  Follower *follower = cell->follower;
  Task *task = follower->task;
  if (!may_change_in(follower->kernel, loop, cell->read->access.array))
    return;
  Expr *is_first =
      expr_eq(task, loop->iteration->expr, expr_const(task, 64, 0));
  Expr *is_passed = loop_contains(loop, cell->read->block)
                        ? is_first
                        : expr_not(task, loop->entry);
  cell->now = expr_ite(task, is_passed, cell->now, cell->unknown);
}

// In the iteration that the reader is in.
static bool is_around(const Loop *loop, const Stmt *read) {
  return !loop || loop_contains(loop, read->block);
}

static void pass_block(Cell *cell, const BasicBlock *block) {
  const Loop *loop = block->loop;
  if (is_ahead(block, cell->read))
    return;
  if (loop && loop->header == block && is_around(loop->parent, cell->read))
    pass_header(cell, loop);
  if (!is_around(loop, cell->read))
    return;
  for (size_t i = 0; i < block->stmts.count; i++)
    if (block->stmts.at[i]->number < cell->read->number)
      pass(cell, block->stmts.at[i]);
}

// ----------------------------------------------------------------- facts ---

// Of whoever is behind the statement.
static void add_fact(const Follower *follower, const Stmt *behind, Expr *fact) {
  Arena *arena = &follower->task->arena;
  if (expr_is_true(fact))
    return;
  Stmt *stmt = NEW(arena, Stmt);
  *stmt = (Stmt){.kind = STMT_ASSUME,
                 .number = behind->number + 1,
                 .loc = behind->loc,
                 .block = behind->block,
                 .guard = behind->guard,
                 .condition = fact};
  push(arena, &follower->kernel->contents, stmt);
}

// A scalar, which no other statement may have read instead.
static bool is_plain_read(const Stmt *stmt) {
  const Access *access = &stmt->access;
  return (stmt->kind == STMT_ACCESS || stmt->kind == STMT_LOOK) &&
         access->kind == ACCESS_READ && !access->is_volatile &&
         access->result && access->result->stmt == stmt &&
         expr_is_const(access->length) &&
         access->result->width == 8 * access->length->value;
}

static void follow(Follower *follower, const Stmt *read) {
  if (!is_plain_read(read) || !is_followed(follower, read->access.array))
    return;
  const Kernel *kernel = follower->kernel;
  Expr *unknown = read->access.result->expr;
  Cell cell = {follower, read, unknown, unknown};
  for (size_t i = 0; i <= read->block->index; i++)
    pass_block(&cell, kernel->blocks.at[i]);
  add_fact(follower, read, expr_eq(follower->task, unknown, cell.now));
}

// ------------------------------------------------------------- instances ---

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
         is_plain_read(look) &&
         is_seen_at(named->follower->kernel, look, barrier) &&
         barrier_orders(barrier, REACH_BLOCK, look->access.array->space) &&
         is_followed(named->follower, look->access.array);
}

// Anything, in each thread and iteration.
static Expr *anything(const Named *named, const Symbol *symbol) {
  Task *task = named->follower->task;
  Kernel *kernel = named->follower->kernel;
  Symbol *other = NEW(&task->arena, Symbol);
  *other = (Symbol){
      .kind = SYMBOL_UNKNOWN,
      .number = (unsigned)kernel->symbols.count,
      .width = symbol->width,
      .name = arena_printf(&task->arena, "%s of a named thread", symbol->name),
      .loc = symbol->loc,
      .loop = named->invariant->barrier->block->loop,
      .is_relevant = true};
  push(&task->arena, &kernel->symbols, other);
  return expr_symbol(task, other);
}

// Both are at the barrier, in one block.
static Expr *ghost_value(Named *named, const Symbol *symbol) {
  const Ghost *ghost = symbol->ghost;
  switch (ghost->kind) {
  case GHOST_OTHER:
    return named->other ? value_in(named->other, ghost->value)
                        : anything(named, symbol);
  case GHOST_HERE:
    return value_in(named, ghost->value);
  case GHOST_ENABLED:
  case GHOST_SAME_GROUP:
    return expr_bool(named->follower->task, true);
  case GHOST_OCCURRED:
  case GHOST_OFFSET:
    break;
  }
  return anything(named, symbol);
}

static Expr *find_value(Named *named, Symbol *symbol) {
  const Follower *follower = named->follower;
  const Stmt *barrier = named->invariant->barrier;
  if (is_contents(named, symbol)) {
    const Access *access = &symbol->stmt->access;
    return at_barrier(follower, barrier, access->array,
                      value_in(named, access->offset), symbol->width);
  }
  if (symbol->ghost)
    return ghost_value(named, symbol);
  if (named->is_self || symbol_is_uniform(symbol, barrier->block->loop, false))
    return symbol->expr;
  if (symbol->kind == SYMBOL_THREAD_ID)
    return symbol->axis ? symbol->expr : named->thread;
  return symbol->kind == SYMBOL_PHI && symbol->closed
             ? value_in(named, symbol->closed)
             : anything(named, symbol);
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

static void use(const Follower *follower, const BarrierInvariant *invariant,
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
  add_fact(
      follower, invariant->barrier,
      expr_implies(task, there, value_in(&self, invariant->check->condition)));
}

// Where both have the same, what is at an address of one is what the other has
// found at its own.
static void want_alike(const Follower *follower,
                       const BarrierInvariant *invariant) {
  Symbols symbols = {0};
  for (size_t i = 0; i < invariant->alike.count; i++)
    expr_symbols(follower->task, invariant->alike.at[i], &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (!symbol_is_uniform(symbols.at[i], invariant->barrier->block->loop,
                           false))
      unsupported(follower->task, invariant->check->loc,
                  "a barrier invariant about an address that two threads "
                  "make together");
}

void kernel_find_contents(Task *task, Kernel *kernel) {
  Follower follower = {task, kernel, expr_map_new(task)};
  kernel->contents.count = 0;
  if (!kernel->barrier_invariants.count)
    return;
  for (size_t i = 0; i < kernel->stmts.count; i++)
    follow(&follower, kernel->stmts.at[i]);
  for (size_t i = 0; i < kernel->barrier_invariants.count; i++) {
    const BarrierInvariant *invariant = kernel->barrier_invariants.at[i];
    want_alike(&follower, invariant);
    for (size_t k = 0; k < invariant->named.count; k++)
      use(&follower, invariant, &invariant->named.at[k]);
  }
}
