// What the first thread of a block does alone, for all of it.
//
//   if (threadIdx.x == 0) {
//     __threadfence();
//     ticket = atomicAdd(&count, 1);
//     is_last = ticket == gridDim.x - 1;
//   }
//   __syncthreads();
//   if (is_last) ..
//
// Two threads of two blocks say nothing of their blocks' first threads.  So for
// each symbol that is not the same in all of a block there is one more, of what
// it is in the first thread when that has computed it for the last time.  It is
// uniform in the block.
//
// A variable in shared memory that this thread alone writes, once, holds what
// it wrote for all who read it behind a barrier.

#include "translator/contents.h"
#include "translator/handover.h"

#include <assert.h>

struct Leaders {
  Task *task;
  Kernel *kernel;
  size_t symbols;          // of the kernel when it was translated
  Expr **copies;           // by Symbol.number, or NULL
  AccessPlaces *places[2]; // of shared, of global accesses, within a block
  Expr *start_at_zero, *loose_fences;
  Substitution substitution;
};

// ------------------------------------------------------------------- who ---

Expr *leader_is_self(Task *task, const Kernel *kernel) {
  Expr *is_first = expr_bool(task, true);
  for (unsigned axis = 0; axis < 3; axis++) {
    Expr *id = kernel->thread_id[axis];
    is_first = expr_and(task, is_first,
                        expr_eq(task, id, expr_const(task, id->width, 0)));
  }
  return is_first;
}

bool leader_alone(Task *task, const Kernel *kernel, const Stmt *stmt) {
  return atomic_is_promised(&stmt->access, leader_is_self(task, kernel));
}

static bool writes_shared(const Stmt *stmt) {
  return stmt->kind == STMT_ACCESS && stmt->access.kind == ACCESS_WRITE &&
         stmt->access.array->space == SPACE_SHARED;
}

Expr *leader_promise_wanted(Task *task, const Kernel *kernel,
                            const Stmt *stmt) {
  bool is_strong = stmt->kind == STMT_ACCESS && access_is_strong(&stmt->access);
  return is_strong || writes_shared(stmt) ? leader_is_self(task, kernel) : NULL;
}

// -------------------------------------------------------------- formulas ---

Symbol *leader_symbol(Task *task, Kernel *kernel, SymbolKind kind,
                      unsigned width, const char *name) {
  Symbol *symbol = NEW(&task->arena, Symbol);
  symbol->kind = kind;
  symbol->number = (unsigned)kernel->symbols.count;
  symbol->width = width;
  symbol->name = name;
  symbol->loc = kernel->loc;
  push(&task->arena, &kernel->symbols, symbol);
  expr_symbol(task, symbol);
  return symbol;
}

static bool differs_in_block(const Symbol *symbol) {
  return !symbol_is_of_launch(symbol) && symbol->kind != SYMBOL_THREAD_ID &&
         symbol->kind != SYMBOL_BLOCK_ID;
}

// What its first thread has is the same for all threads of a block.  All are
// made before two threads meet (Meetings.symbols).
static void make_copies(Leaders *leaders) {
  Task *task = leaders->task;
  for (size_t i = 0; i < leaders->symbols; i++) {
    const Symbol *symbol = leaders->kernel->symbols.at[i];
    if (!differs_in_block(symbol))
      continue;
    Symbol *own =
        leader_symbol(task, leaders->kernel, SYMBOL_UNKNOWN, symbol->width,
                      arena_printf(&task->arena, "%s@first", symbol->name));
    own->is_vote = own->is_block_uniform = true;
    leaders->copies[symbol->number] = own->expr;
  }
}

static Expr *replace(Task *task, Symbol *symbol, void *data) {
  const Leaders *leaders = data;
  if (symbol->kind == SYMBOL_THREAD_ID)
    return expr_const(task, symbol->width, 0);
  if (!differs_in_block(symbol))
    return symbol->expr;
  assert(symbol->number < leaders->symbols);
  return leaders->copies[symbol->number];
}

Expr *leader_expr(Leaders *leaders, Expr *a) {
  return expr_substitute(leaders->task, &leaders->substitution, a);
}

Expr *leader_start_at_zero(const Leaders *leaders) {
  return leaders->start_at_zero;
}

Expr *leader_loose_fences(const Leaders *leaders) {
  return leaders->loose_fences;
}

// -------------------------------------------------------------- barriers ---

// All threads come to the last barrier before `b` together, so whoever has not
// been at `a` by then comes there only behind it.  A thread that ends early has
// not been there either (SOUND(exited-threads)).
static bool is_before(const Leaders *leaders, const Stmt *a, const Stmt *b) {
  Task *task = leaders->task;
  const Kernel *kernel = leaders->kernel;
  const AccessPlaces *places =
      &leaders->places[b->access.array->space != SPACE_SHARED][b->number];
  for (size_t i = 0; i < places->count; i++) {
    const Stmt *since = places->at[i].since;
    if (!since || can_follow(task, kernel, since, a))
      return false;
  }
  return true;
}

// Whoever goes on from the last barrier passes a fence on the way.
static bool has_fence_behind_barrier(const Leaders *leaders, const Stmt *stmt,
                                     Scope scope) {
  const AccessPlaces *places = &leaders->places[1][stmt->number];
  for (size_t i = 0; i < places->count; i++)
    if (places->at[i].since &&
        !way_is_fenced(leaders->task, leaders->kernel, places->at[i].since,
                       stmt, NULL, scope))
      return false;
  return true;
}

static bool has_fence_to_barrier(const Leaders *leaders, const Stmt *stmt,
                                 Scope scope) {
  return !way_exists_to(leaders->task, leaders->kernel, stmt, is_block_barrier,
                        is_full_fence, &scope);
}

Expr *leader_publishes(const Leaders *leaders, const Stmt *stmt,
                       const Stmt *atomic, Scope scope) {
  Task *task = leaders->task;
  if (!is_before(leaders, stmt, atomic))
    return expr_bool(task, false);
  if (atomic->access.releases ||
      has_fence_behind_barrier(leaders, atomic, scope))
    return expr_bool(task, true);
  return has_fence_to_barrier(leaders, stmt, scope) ? leaders->loose_fences
                                                    : expr_bool(task, false);
}

Expr *leader_acquires(const Leaders *leaders, const Stmt *atomic,
                      bool is_fenced, const Stmt *stmt, Scope scope) {
  Task *task = leaders->task;
  if (!is_before(leaders, atomic, stmt))
    return expr_bool(task, false);
  return is_fenced || has_fence_to_barrier(leaders, atomic, scope)
             ? expr_bool(task, true)
             : leaders->loose_fences;
}

// ----------------------------------------------------------------- facts ---

static void add_behind(Leaders *leaders, const Stmt *at, Expr *fact) {
  contents_add_behind(leaders->task, leaders->kernel, at, fact);
}

// A loop from which a way leads to the statement: from the last barrier before
// what is behind no way leads back there.
Expr *leader_has_left(Leaders *leaders, const Stmt *stmt) {
  Task *task = leaders->task;
  const Kernel *kernel = leaders->kernel;
  Expr *all = expr_bool(task, true);
  for (size_t i = 0; i < kernel->loops.count; i++) {
    const Loop *loop = kernel->loops.at[i];
    if (way_exists_from(task, kernel, loop->header, stmt))
      all = expr_and(
          task, all,
          expr_implies(task, loop->entry, expr_not(task, loop->again)));
  }
  return leader_expr(leaders, all);
}

// The only statement that writes there, or NULL.
static const Stmt *only_write(const Kernel *kernel, const Array *array) {
  const Stmt *only = NULL;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (!handover_is_at(stmt, array) || !access_writes(&stmt->access))
      continue;
    if (only)
      return NULL;
    only = stmt;
  }
  return only;
}

static bool is_same_cell(const Access *write, const Access *read) {
  return expr_is_const(write->offset) && write->offset == read->offset &&
         expr_is_const(write->length) && write->length == read->length;
}

static bool is_told(const Leaders *leaders, const Stmt *write,
                    const Stmt *read) {
  const Access *a = &write->access, *b = &read->access;
  return writes_shared(write) && !write->block->loop && !a->event && a->value &&
         !a->is_any && leader_alone(leaders->task, leaders->kernel, write) &&
         is_same_cell(a, b) && b->result->width == a->value->width &&
         is_before(leaders, write, read);
}

static void add_told(Leaders *leaders, const Stmt *read) {
  Task *task = leaders->task;
  if (!contents_is_plain_read(read))
    return;
  const Stmt *write = only_write(leaders->kernel, read->access.array);
  if (!write || !is_told(leaders, write, read))
    return;
  add_behind(leaders, read, leader_has_left(leaders, write));
  add_behind(leaders, read,
             expr_implies(task, leader_expr(leaders, write->guard),
                          expr_eq(task, read->access.result->expr,
                                  leader_expr(leaders, write->access.value))));
}

// The first thread has been there, and drew what it drew.
static void add_own(Leaders *leaders, const Stmt *stmt) {
  Task *task = leaders->task;
  const Access *access = &stmt->access;
  if (stmt->kind != STMT_ACCESS || access->kind != ACCESS_ATOMIC ||
      !access->result || stmt->block->loop)
    return;
  Expr *own = access->result->expr;
  add_behind(
      leaders, stmt,
      expr_implies(task, leader_is_self(task, leaders->kernel),
                   expr_and(task, leader_expr(leaders, stmt->guard),
                            expr_eq(task, own, leader_expr(leaders, own)))));
}

void leaders_add_facts(Kernel *kernel) {
  Leaders *leaders = kernel->leaders;
  for (size_t i = 0; leaders && i < kernel->stmts.count; i++) {
    add_told(leaders, kernel->stmts.at[i]);
    add_own(leaders, kernel->stmts.at[i]);
  }
}

static Expr *new_premise(Task *task, Kernel *kernel, PremiseKind kind,
                         const char *name) {
  Expr *holds = leader_symbol(task, kernel, SYMBOL_LAUNCH, 1, name)->expr;
  premise_add(task, kernel, kind, (Premise){.fact = holds});
  return holds;
}

void kernel_find_leaders(Task *task, Kernel *kernel) {
  Leaders *leaders = NEW(&task->arena, Leaders);
  *leaders = (Leaders){
      .task = task,
      .kernel = kernel,
      .symbols = kernel->symbols.count,
      .copies = arena_alloc(&task->arena, (kernel->symbols.count + 1) *
                                              sizeof *leaders->copies)};
  leaders->substitution = (Substitution){.replace = replace, .data = leaders};
  make_copies(leaders);
  leaders->places[0] = interval_places(task, kernel, REACH_BLOCK, SPACE_SHARED);
  leaders->places[1] = interval_places(task, kernel, REACH_BLOCK, SPACE_GLOBAL);
  leaders->start_at_zero = new_premise(
      task, kernel, PREMISE_ATOMICS_START_AT_ZERO, "atomics start at zero");
  leaders->loose_fences =
      new_premise(task, kernel, PREMISE_LOOSE_FENCES, "loose fences");
  kernel->leaders = leaders;
}
