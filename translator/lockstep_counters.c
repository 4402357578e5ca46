// Counters: SOUND(atomic-counters).
//
// Atomics that all add one constant to a cell, after whatever sets it, return
// values at least that constant apart.  Each thread keeps the last value that
// each of them returned to it; a new value is that far from all of these.

#include "translator/lockstep.h"

static bool is_at(const Stmt *stmt, const Array *array) {
  return stmt->kind == STMT_ACCESS && stmt->access.array == array;
}

// Control can go from one block to the other, by one edge at least.
static bool leads(Task *task, const Kernel *kernel, const BasicBlock *from,
                  const BasicBlock *to) {
  bool *seen = arena_alloc(&task->arena, kernel->blocks.count);
  Vec(const BasicBlock *) work = {0};
  push(&task->arena, &work, from);
  while (work.count) {
    const BasicBlock *block = work.at[--work.count];
    for (size_t i = 0; i < block->out.count; i++) {
      const BasicBlock *next = block->out.at[i]->to;
      if (next == to)
        return true;
      if (!seen[next->index])
        push(&task->arena, &work, next);
      seen[next->index] = true;
    }
  }
  return false;
}

static bool is_set_again(const Maker *maker, const Stmt *write) {
  const Kernel *kernel = maker->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (!is_at(stmt, write->access.array) || stmt->access.kind != ACCESS_ATOMIC)
      continue;
    if ((stmt->block == write->block && stmt->number < write->number) ||
        leads(maker->task, kernel, stmt->block, write->block))
      return true;
  }
  return false;
}

// So many additions that no launch makes them do not bring it round.
static bool comes_round(unsigned width, uint64_t step) {
  enum { ADDITIONS_BITS = 20, LEAST_WIDTH = 32 };
  return width < LEAST_WIDTH || width > 64 ||
         step >> (width - ADDITIONS_BITS) != 0;
}

// What the atomic adds or takes away each time.
static uint64_t step_of(const Access *access) {
  unsigned width = access->result->width;
  uint64_t step = access->operand->value;
  bool is_down = width <= 64 && step >> (width - 1) & 1;
  step = is_down ? -step : step;
  return width < 64 ? step & ((UINT64_C(1) << width) - 1) : step;
}

static bool adds(const Stmt *stmt) {
  const Access *access = &stmt->access;
  return stmt->kind == STMT_ACCESS && access->kind == ACCESS_ATOMIC &&
         access->op == ATOMIC_ADD && access->result;
}

static bool counts(const Stmt *stmt) {
  const Access *access = &stmt->access;
  return adds(stmt) && expr_is_const(access->operand) &&
         access->operand->value != 0 &&
         !comes_round(access->result->width, step_of(access));
}

static bool is_counter(const Maker *maker, const Stmt *atomic) {
  const Kernel *kernel = maker->kernel;
  const Array *array = atomic->access.array;
  bool others_set =
      maker->options->only_intra_group && array->space == SPACE_GLOBAL;
  if (array->space == SPACE_SHARED ? !lockstep_is_of_block(maker)
                                   : array->space != SPACE_GLOBAL)
    return false;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (!is_at(stmt, array) || stmt->access.kind == ACCESS_READ)
      continue;
    bool is_set = stmt->access.kind == ACCESS_WRITE;
    if (is_set &&
        (others_set || is_set_again(maker, stmt) || stmt->access.is_volatile))
      return false;
    if (others_set && stmt->access.scope < SCOPE_GRID)
      return false;
    if (!is_set && !stmt->access.is_load &&
        (!counts(stmt) || stmt->access.operand != atomic->access.operand))
      return false;
  }
  return true;
}

// Others add something else.
static bool is_one_of_many(const Kernel *kernel, const Stmt *atomic) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (adds(stmt) && is_at(stmt, atomic->access.array) &&
        stmt->access.operand != atomic->access.operand)
      return true;
  }
  return false;
}

// How many additions there are is not counted here, nor what they add in all,
// and of what a thread drew only the last is kept; nor who comes first at what
// other atomics change for good.
bool lockstep_counts_roughly(const Kernel *kernel, const Stmt *stmt) {
  const Access *access = &stmt->access;
  if (stmt->kind != STMT_ACCESS || access->op == ATOMIC_ANY ||
      !access->result || !access->result->is_relevant)
    return false;
  return !adds(stmt) || access->result->loop || !counts(stmt) ||
         is_one_of_many(kernel, stmt);
}

static Symbol *count_variable(Maker *maker, const char *what, const Stmt *stmt,
                              unsigned thread, unsigned width) {
  return lockstep_variable(maker,
                           arena_printf(&maker->task->arena, "%s%u$%u", what,
                                        stmt->number, thread + 1),
                           width);
}

void lockstep_count_start(Maker *maker) {
  const Kernel *kernel = maker->kernel;
  for (unsigned t = 0; t < maker->threads; t++) {
    maker->counts[t] = arena_alloc(&maker->task->arena,
                                   (kernel->stmts.count + 1) * sizeof(Count));
    for (size_t i = 0; i < kernel->stmts.count; i++) {
      const Stmt *stmt = kernel->stmts.at[i];
      Count *count = &maker->counts[t][stmt->number];
      if (maker->threads < 2 || !counts(stmt) || !is_counter(maker, stmt))
        continue;
      count->is_done = count_variable(maker, "counted", stmt, t, 1);
      count->offset = count_variable(maker, "counted_at", stmt, t, 64);
      count->value =
          count_variable(maker, "count", stmt, t, stmt->access.result->width);
      lockstep_set(maker, count->is_done, expr_bool(maker->task, false));
    }
  }
}

static void assume_apart(Maker *maker, const Access *access, unsigned thread,
                         Expr *both, Expr *offset, Expr *value) {
  Task *task = maker->task;
  Expr *own = lockstep_copy(maker, thread, access->result->expr);
  Expr *step = expr_const(task, own->width, step_of(access));
  Expr *apart = expr_and(
      task, expr_binary(task, EXPR_ULE, step, expr_sub(task, own, value)),
      expr_binary(task, EXPR_ULE, step, expr_sub(task, value, own)));
  Expr *one_cell =
      expr_eq(task, lockstep_copy(maker, thread, access->offset), offset);
  lockstep_assume(maker,
                  expr_implies(task, expr_and(task, both, one_cell), apart));
}

static void assume_new(Maker *maker, const Stmt *stmt, Expr *const here[2]) {
  const Kernel *kernel = maker->kernel;
  for (unsigned t = 0; t < 2; t++)
    for (unsigned other = 0; other < 2; other++)
      for (size_t i = 0; i < kernel->stmts.count; i++) {
        const Stmt *before = kernel->stmts.at[i];
        const Count *count = &maker->counts[other][before->number];
        if (count->is_done && is_at(before, stmt->access.array))
          assume_apart(maker, &stmt->access, t,
                       expr_and(maker->task, here[t], count->is_done->expr),
                       count->offset->expr, count->value->expr);
      }
  assume_apart(maker, &stmt->access, 0, expr_and(maker->task, here[0], here[1]),
               lockstep_copy(maker, 1, stmt->access.offset),
               lockstep_copy(maker, 1, stmt->access.result->expr));
}

static void keep(Maker *maker, Symbol *variable, Expr *value, Expr *when) {
  lockstep_set(maker, variable,
               expr_ite(maker->task, when, value, variable->expr));
}

void lockstep_count(Maker *maker, const Stmt *stmt, Expr *const here[2]) {
  if (maker->threads < 2 || !maker->counts[0][stmt->number].is_done)
    return;
  assume_new(maker, stmt, here);
  for (unsigned t = 0; t < 2; t++) {
    const Count *count = &maker->counts[t][stmt->number];
    const Access *access = &stmt->access;
    keep(maker, count->offset, lockstep_copy(maker, t, access->offset),
         here[t]);
    keep(maker, count->value, lockstep_copy(maker, t, access->result->expr),
         here[t]);
    keep(maker, count->is_done, expr_bool(maker->task, true), here[t]);
  }
}
