// What the two threads of the lock-step program do at a statement.
//
// Assertions are checked for one thread alone, and assumed where there are two.
// At a barrier at which the two wait for each other both arrive or neither
// does.  What a read returns is arbitrary.

#include "translator/lockstep.h"

#include <assert.h>

static Expr *truth(const Maker *maker, bool value) {
  return expr_bool(maker->task, value);
}

Expr *lockstep_here(Maker *maker, const Stmt *stmt, unsigned thread) {
  Expr *here = maker->here[thread][stmt->block->index];
  return stmt->guard == stmt->block->guard
             ? here
             : expr_and(maker->task, here,
                        lockstep_copy(maker, thread, stmt->guard));
}

// -------------------------------------------------- conditions and barriers
// ---

void lockstep_condition(Maker *maker, const Stmt *stmt, bool is_checked) {
  for (unsigned t = 0; t < maker->threads; t++) {
    Expr *holds = expr_implies(maker->task, lockstep_here(maker, stmt, t),
                               lockstep_copy(maker, t, stmt->condition));
    if (is_checked)
      lockstep_check(maker, holds,
                     stmt->message ? stmt->message : "loop invariant",
                     stmt->loc);
    else
      lockstep_assume(maker, holds);
  }
}

static bool is_assertion_checked(const Maker *maker, const Stmt *stmt) {
  return maker->procedure->threads == THREADS_ONE &&
         (stmt->doubt || !maker->options->only_divergence ||
          maker->options->assert_false);
}

// Do the two threads wait for each other there?
static Expr *meet_at(const Maker *maker, BarrierKind kind) {
  switch (kind) {
  case BARRIER_BLOCK:
    return truth(maker, lockstep_is_of_block(maker));
  case BARRIER_WARP:
  case BARRIER_LANES:
    return lockstep_is_of_block(maker) ? maker->same_warp : truth(maker, false);
  case BARRIER_GRID:
    return truth(maker, true);
  case BARRIER_SUB_GROUP:
  case BARRIER_COPY:
  case BARRIER_EVENT:
    break;
  }
  assert(false && "a barrier that the program has");
  return NULL;
}

static void make_barrier(Maker *maker, const Stmt *stmt) {
  Task *task = maker->task;
  if (maker->threads < 2)
    return;
  Expr *meet = meet_at(maker, stmt->barrier.kind);
  Expr *one = lockstep_here(maker, stmt, 0),
       *two = lockstep_here(maker, stmt, 1);
  lockstep_check(maker, expr_implies(task, meet, expr_eq(task, one, two)),
                 "barrier divergence", stmt->loc);
  lockstep_log_reset(maker, &stmt->barrier,
                     expr_and(task, meet, expr_and(task, one, two)));
}

// ---------------------------------------------------------------- reading ---

static bool is_read_by(const Symbol *symbol, const Stmt *stmt) {
  return symbol->stmt == stmt &&
         (symbol->kind == SYMBOL_LOAD || symbol->kind == SYMBOL_ATOMIC);
}

void lockstep_forget_copies(Maker *maker, const Symbol *symbol,
                            Expr *const here[2], bool is_equal) {
  Task *task = maker->task;
  Symbol *any = NULL;
  for (unsigned t = 0; t < maker->threads; t++) {
    Symbol *copy = lockstep_symbol(maker, symbol, t);
    if (!any || !is_equal) {
      any = lockstep_variable(
          maker, arena_printf(&task->arena, "any_%s", copy->name), copy->width);
      lockstep_forget(maker, any);
    }
    lockstep_set(maker, copy, expr_ite(task, here[t], any->expr, copy->expr));
  }
}

// Nobody but threads that race changes what is there meanwhile; what is
// volatile and atomics do not race with each other.
static bool is_steady(const Maker *maker, const Access *read) {
  const Array *array = read->array;
  const Options *options = maker->options;
  bool is_global = array->space == SPACE_GLOBAL;
  if (!is_global &&
      (array->space != SPACE_SHARED || !lockstep_is_of_block(maker)))
    return false;
  if ((is_global && read->is_volatile) || read->is_seed)
    return false;
  bool is_written = false;
  for (size_t i = 0; i < maker->kernel->stmts.count; i++) {
    const Stmt *stmt = maker->kernel->stmts.at[i];
    if (stmt->kind != STMT_ACCESS || stmt->access.array != array)
      continue;
    if (access_is_strong(read) && access_is_strong(&stmt->access) &&
        access_writes(&stmt->access))
      return false;
    is_written |= access_writes(&stmt->access);
  }
  return !is_written || (!options->only_divergence && !options->only_log &&
                         !(is_global && options->only_intra_group));
}

static void assume_equal_reads(Maker *maker, const Stmt *stmt,
                               const Symbol *symbol, Expr *const here[2]) {
  Task *task = maker->task;
  Expr *offset[2], *value[2];
  for (unsigned t = 0; t < 2; t++) {
    offset[t] = lockstep_copy(maker, t, stmt->access.offset);
    value[t] = lockstep_copy(maker, t, symbol->expr);
  }
  Expr *both = expr_and(task, here[0], here[1]);
  both = expr_and(task, both, expr_eq(task, offset[0], offset[1]));
  lockstep_assume(maker,
                  expr_implies(task, both, expr_eq(task, value[0], value[1])));
}

// A pointer to one of several arrays is read in one of several statements, and
// the last of them stands for all.
static void make_results(Maker *maker, const Stmt *stmt, Expr *const here[2]) {
  Kernel *kernel = maker->kernel;
  Expr *in_block[2] = {maker->here[0][stmt->block->index],
                       maker->here[1][stmt->block->index]};
  bool is_steady_read = maker->threads == 2 &&
                        stmt->access.kind == ACCESS_READ &&
                        is_steady(maker, &stmt->access);
  for (size_t i = 0; i < kernel->symbols.count; i++) {
    Symbol *symbol = kernel->symbols.at[i];
    if (!is_read_by(symbol, stmt))
      continue;
    if (symbol->loop)
      lockstep_forget_copies(maker, symbol, in_block, false);
    if (is_steady_read)
      assume_equal_reads(maker, stmt, symbol, here);
  }
}

// --------------------------------------------------------------- accesses ---

// Unsigned: an offset below 0 is a large one.
static Expr *is_inside(Maker *maker, const Access *access) {
  Task *task = maker->task;
  const Array *array = access->array;
  Expr *zero = expr_const(task, 64, 0);
  if (!array->bytes)
    return expr_binary(task, EXPR_SLE, zero, access->offset);
  Expr *rest = expr_sub(task, array->bytes, access->offset);
  return expr_and(task,
                  expr_binary(task, EXPR_ULE, access->offset, array->bytes),
                  expr_binary(task, EXPR_ULE, access->length, rest));
}

// Reads of such an array are a function of the offset; so it has to be true
// that nobody writes it.
static bool breaks_word(const Maker *maker, const Stmt *write) {
  const Array *array = write->access.array;
  if (!access_writes(&write->access) || array->is_written ||
      array->space == SPACE_SHARED)
    return false;
  for (size_t i = 0; i < maker->kernel->stmts.count; i++) {
    const Stmt *stmt = maker->kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.array == array &&
        stmt->access.kind == ACCESS_READ &&
        (array->space != SPACE_PRIVATE || array->is_by_value))
      return true;
  }
  return false;
}

static void make_access(Maker *maker, const Stmt *stmt) {
  Task *task = maker->task;
  Expr *here[2] = {NULL, NULL};
  for (unsigned t = 0; t < maker->threads; t++)
    here[t] = lockstep_here(maker, stmt, t);
  if (maker->options->check_array_bounds && !maker->options->only_divergence &&
      maker->threads == 1)
    lockstep_check(
        maker,
        expr_implies(task, here[0],
                     lockstep_copy(maker, 0, is_inside(maker, &stmt->access))),
        "out-of-bounds access", stmt->loc);
  if (breaks_word(maker, stmt))
    lockstep_check(maker, expr_not(task, here[0]),
                   "a write to an array that counts as never written",
                   stmt->loc);
  if (maker->threads == 2)
    lockstep_log_access(maker, stmt, here);
  make_results(maker, stmt, here);
  lockstep_count(maker, stmt, here);
}

void lockstep_statement(Maker *maker, const Stmt *stmt) {
  switch (stmt->kind) {
  case STMT_ACCESS:
    make_access(maker, stmt);
    return;
  case STMT_BARRIER:
    make_barrier(maker, stmt);
    return;
  case STMT_ASSUME:
    lockstep_condition(maker, stmt, false);
    return;
  case STMT_ASSERT:
    lockstep_condition(maker, stmt, is_assertion_checked(maker, stmt));
    return;
  case STMT_CLAIM: // refused, lockstep.c
  case STMT_LOOK:
  case STMT_FENCE:
    return;
  }
}
