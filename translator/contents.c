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
// The cell that is read is followed in the order of the text, up to the read;
// at the head of a loop it is what the iteration before has left there, of
// which that is known which follows from its number.  Whom an invariant is
// about is named_threads.c.

#include "translator/contents.h"

// ---------------------------------------------------------------- arrays ---

bool contents_are_followed(const Follower *follower, const Array *array) {
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
        stmt->access.event)
      return false; // a copy goes on past barriers
  }
  return true;
}

// Others may have written, or the thread itself.
static bool may_change(const Stmt *stmt, const Array *array) {
  if (expr_is_false(stmt->guard))
    return false;
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

// ------------------------------------------------- the iteration before ---

struct Shift {
  const Follower *follower;
  Loop *loop;
  Expr **values; // by Symbol.number
  size_t count;
  Substitution substitution;
};

Expr *contents_anything(const Follower *follower, const Symbol *symbol,
                        Loop *loop) {
  Task *task = follower->task;
  Kernel *kernel = follower->kernel;
  Symbol *other = NEW(&task->arena, Symbol);
  *other =
      (Symbol){.kind = SYMBOL_UNKNOWN,
               .number = (unsigned)kernel->symbols.count,
               .width = symbol->width,
               .name = arena_printf(&task->arena, "another's %s", symbol->name),
               .loc = symbol->loc,
               .loop = loop,
               .is_relevant = true};
  push(&task->arena, &kernel->symbols, other);
  return expr_symbol(task, other);
}

static Expr *value_before(Shift *shift, Symbol *symbol) {
  Task *task = shift->follower->task;
  if (symbol == shift->loop->iteration)
    return expr_sub(task, symbol->expr, expr_const(task, 64, 1));
  if (symbol->kind == SYMBOL_PHI && symbol->closed)
    return expr_substitute(task, &shift->substitution, symbol->closed);
  return contents_anything(shift->follower, symbol, shift->loop);
}

// What is asked of another thread is any value.
static Expr *replace_before(Task *task, Symbol *symbol, void *data) {
  (void)task;
  Shift *shift = data;
  if (!symbol->loop || !loop_is_inside(symbol->loop, shift->loop) ||
      symbol->ghost)
    return symbol->expr;
  if (symbol->number >= shift->count)
    return value_before(shift, symbol);
  Expr **value = &shift->values[symbol->number];
  if (!*value)
    *value = value_before(shift, symbol);
  return *value;
}

static Shift *shift_of(const Follower *follower, Loop *loop) {
  Arena *arena = &follower->task->arena;
  Shift **shift = &follower->shifts[loop->index];
  if (*shift)
    return *shift;
  *shift = NEW(arena, Shift);
  **shift =
      (Shift){.follower = follower,
              .loop = loop,
              .count = follower->kernel->symbols.count,
              .values = arena_alloc(arena, follower->kernel->symbols.count *
                                               sizeof(Expr *)),
              .substitution = {.replace = replace_before, .data = *shift}};
  return *shift;
}

static Expr *shifted(Shift *shift, Expr *a) {
  return shift ? expr_substitute(shift->follower->task, &shift->substitution, a)
               : a;
}

static Expr *is_first(const Follower *follower, const Loop *loop) {
  return expr_eq(follower->task, loop->iteration->expr,
                 expr_const(follower->task, 64, 0));
}

Expr *contents_at_barrier(const Follower *follower, const Stmt *barrier,
                          Shift *shift, const Array *array, Expr *offset,
                          unsigned bits) {
  Task *task = follower->task;
  const Kernel *kernel = follower->kernel;
  Exprs args = {0};
  push(&task->arena, &args, offset);
  for (unsigned axis = 0; axis < 3; axis++)
    push(&task->arena, &args, kernel->block_id[axis]);
  for (const Loop *loop = barrier->block->loop; loop; loop = loop->parent)
    push(&task->arena, &args, shifted(shift, loop->iteration->expr));
  const char *function = arena_printf(&task->arena, "%s.%u.%u@%u", array->name,
                                      array->number, bits, barrier->number);
  return expr_apply(task, function, bits, args.at, (unsigned)args.count);
}

// ------------------------------------------------------------- one's own ---

// The cell that is read, as it changes.
typedef struct Cell {
  Follower *follower;
  const Stmt *read;
  Shift *shift;  // what is passed is of an iteration before, or NULL
  Expr *unknown; // what is read, of which nothing is known
  Expr *now;
} Cell;

static Expr *then(const Cell *cell, Expr *a) { return shifted(cell->shift, a); }

static void pass_write(Cell *cell, const Stmt *stmt) {
  Task *task = cell->follower->task;
  const Access *write = &stmt->access, *read = &cell->read->access;
  Expr *made = then(cell, stmt->guard), *now = cell->now;
  if (!write->value) {
    cell->now = expr_ite(task, made, cell->unknown, now);
    return;
  }
  Expr *offset = then(cell, write->offset);
  Expr *here = expr_eq(task, offset, read->offset);
  Expr *touched =
      bytes_overlap(task, cell->follower->divisors, offset,
                    then(cell, write->length), read->offset, read->length);
  now = expr_ite(task, touched, cell->unknown, now);
  if (write->length == read->length)
    now = expr_ite(task, here, then(cell, write->value), now);
  cell->now = expr_ite(task, made, now, cell->now);
}

static void pass_barrier(Cell *cell, const Stmt *barrier) {
  Task *task = cell->follower->task;
  const Access *read = &cell->read->access;
  Expr *found = cell->unknown;
  if (barrier_orders(barrier, REACH_BLOCK, read->array->space))
    found =
        contents_at_barrier(cell->follower, barrier, cell->shift, read->array,
                            read->offset, cell->unknown->width);
  cell->now = expr_ite(task, then(cell, barrier->guard), found, cell->now);
}

static void pass(Cell *cell, const Stmt *stmt) {
  if (!may_change(stmt, cell->read->access.array))
    return;
  if (stmt->kind == STMT_ACCESS)
    pass_write(cell, stmt);
  else
    pass_barrier(cell, stmt);
}

static void leave_loop(Cell *cell, Loop *loop);

// All of an iteration that is over.
static void pass_iteration(Cell *cell, const Loop *loop) {
  for (size_t i = 0; i < loop->blocks.count; i++) {
    const BasicBlock *block = loop->blocks.at[i];
    Loop *own = block->loop;
    if (own != loop && own->parent == loop && own->header == block)
      leave_loop(cell, own);
    for (size_t k = 0; own == loop && k < block->stmts.count; k++)
      pass(cell, block->stmts.at[k]);
  }
}

// At its head, in the iteration that is meant: the first one, or one behind
// another.
static void enter_loop(Cell *cell, Loop *loop) {
  Follower *follower = cell->follower;
  if (!may_change_in(follower->kernel, loop, cell->read->access.array))
    return;
  Expr *first = cell->now;
  cell->now = cell->unknown;
  cell->shift = shift_of(follower, loop);
  pass_iteration(cell, loop);
  cell->shift = NULL;
  cell->now =
      expr_ite(follower->task, is_first(follower, loop), first, cell->now);
}

// Formulas about it are about its last iteration, but in an iteration before
// of a loop around.
static void leave_loop(Cell *cell, Loop *loop) {
  Follower *follower = cell->follower;
  if (!may_change_in(follower->kernel, loop, cell->read->access.array))
    return;
  Expr *entered = then(cell, loop->entry), *before = cell->now;
  if (cell->shift) {
    cell->now = cell->unknown;
  } else {
    enter_loop(cell, loop);
    pass_iteration(cell, loop);
  }
  cell->now = expr_ite(follower->task, entered, cell->now, before);
}

// The reader is in a loop that the block is behind, and has not come there.
static bool is_ahead(const BasicBlock *block, const Stmt *read) {
  for (const Loop *loop = read->block->loop; loop; loop = loop->parent)
    if (!loop_contains(loop, block) && block->index > loop->header->index)
      return true;
  return false;
}

// In the iteration that the reader is in.
static bool is_around(const Loop *loop, const Stmt *read) {
  return !loop || loop_contains(loop, read->block);
}

static void pass_block(Cell *cell, const BasicBlock *block) {
  Loop *loop = block->loop;
  if (is_ahead(block, cell->read))
    return;
  bool is_head =
      loop && loop->header == block && is_around(loop->parent, cell->read);
  if (is_head && is_around(loop, cell->read))
    enter_loop(cell, loop);
  else if (is_head)
    leave_loop(cell, loop);
  if (!is_around(loop, cell->read))
    return;
  for (size_t i = 0; i < block->stmts.count; i++)
    if (block->stmts.at[i]->number < cell->read->number)
      pass(cell, block->stmts.at[i]);
}

// ----------------------------------------------------------------- facts ---

static void add_at(Task *task, Kernel *kernel, Stmt place, Expr *fact) {
  if (expr_is_true(fact))
    return;
  Stmt *stmt = NEW(&task->arena, Stmt);
  *stmt = place;
  stmt->kind = STMT_ASSUME;
  stmt->condition = fact;
  push(&task->arena, &kernel->contents, stmt);
}

void contents_add_behind(Task *task, Kernel *kernel, const Stmt *behind,
                         Expr *fact) {
  add_at(task, kernel,
         (Stmt){.number = behind->number + 1,
                .loc = behind->loc,
                .block = behind->block,
                .guard = behind->guard},
         fact);
}

// Of whoever is at the head of the loop, or further.
static Stmt place_in(const Follower *follower, const Loop *loop) {
  const Kernel *kernel = follower->kernel;
  Stmt place = {.loc = loop->loc, .block = loop->header, .guard = loop->entry};
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->block->index < loop->header->index)
      place.number = kernel->stmts.at[i]->number + 1;
  return place;
}

void contents_add(Follower *follower, const Stmt *behind, Expr *fact) {
  Task *task = follower->task;
  Loop *loop = behind->block->loop;
  contents_add_behind(task, follower->kernel, behind, fact);
  if (!loop)
    return;
  Expr *before = shifted(shift_of(follower, loop),
                         expr_implies(task, behind->guard, fact));
  add_at(task, follower->kernel, place_in(follower, loop),
         expr_or(task, is_first(follower, loop), before));
}

bool contents_is_plain_read(const Stmt *stmt) {
  const Access *access = &stmt->access;
  return (stmt->kind == STMT_ACCESS || stmt->kind == STMT_LOOK) &&
         access->kind == ACCESS_READ && !access->is_volatile &&
         !access->is_seed && access->result && access->result->stmt == stmt &&
         expr_is_const(access->length) &&
         access->result->width == 8 * access->length->value;
}

static void follow(Follower *follower, const Stmt *read) {
  if (!contents_is_plain_read(read) ||
      !contents_are_followed(follower, read->access.array))
    return;
  task_check_time(follower->task, read->loc);
  const Kernel *kernel = follower->kernel;
  Expr *unknown = read->access.result->expr;
  Cell cell = {follower, read, NULL, unknown, unknown};
  for (size_t i = 0; i <= read->block->index; i++)
    pass_block(&cell, kernel->blocks.at[i]);
  contents_add_behind(follower->task, follower->kernel, read,
                      expr_eq(follower->task, unknown, cell.now));
}

void kernel_find_contents(Task *task, Kernel *kernel) {
  Follower follower = {.task = task,
                       .kernel = kernel,
                       .divisors = expr_map_new(task),
                       .shifts =
                           arena_alloc(&task->arena, (kernel->loops.count + 1) *
                                                         sizeof(Shift *))};
  kernel->contents.count = 0;
  if (!kernel->barrier_invariants.count)
    return;
  for (size_t i = 0; i < kernel->stmts.count; i++)
    follow(&follower, kernel->stmts.at[i]);
  for (size_t i = 0; i < kernel->barrier_invariants.count; i++)
    contents_use(&follower, kernel->barrier_invariants.at[i]);
}
