// The log of the two-thread program.
//
// One arbitrary byte of each array is watched.  Flags say what thread 1 has
// done to it since the last barrier that orders it: read, written, changed by
// an atomic of some scope.  What thread 2 does to it is compared with the
// flags.  The byte is arbitrary, so this covers every pair of accesses.  One
// arbitrary write of thread 1 is kept with its start, its width and its value,
// because two writes of one value at one place are no race.

#include "translator/lockstep.h"

enum { BITS_WIDTH = 16 };

static Expr *truth(const Maker *maker, bool value) {
  return expr_bool(maker->task, value);
}

// ---------------------------------------------------------------- the log ---

static bool is_seen_by_both(const Maker *maker, const Array *array) {
  bool in_block = maker->procedure->threads == THREADS_BLOCK;
  if (maker->options->only_divergence || maker->options->only_log)
    return false;
  if (array->space == SPACE_SHARED)
    return in_block;
  return array->space == SPACE_GLOBAL &&
         (in_block || !maker->options->only_intra_group);
}

static bool has_value(const Maker *maker, const Access *access) {
  return access->kind == ACCESS_WRITE && !access->is_volatile &&
         access->value && !maker->options->no_benign_tolerance;
}

static Symbol *log_variable(Maker *maker, const Array *array, const char *what,
                            unsigned width) {
  return lockstep_variable(
      maker, arena_printf(&maker->task->arena, "%s_%s", what, array->name),
      width);
}

static void note_access(Maker *maker, const Access *access) {
  Log *log = &maker->logs[access->array->number];
  log->is_kept |= access_writes(access);
  if (!has_value(maker, access))
    return;
  log->has_values = true;
  if (access->value->width > log->value_bits)
    log->value_bits = access->value->width;
}

static void start_flag(Maker *maker, Symbol **flag, const Array *array,
                       const char *what) {
  if (*flag)
    return;
  *flag = log_variable(maker, array, what, 1);
  lockstep_set(maker, *flag, truth(maker, false));
}

static unsigned strength(const Access *access) {
  unsigned size = 0;
  while (size + 1 < SIZES && UINT64_C(1) << size < access->length->value)
    size++;
  return access->scope * SIZES + size;
}

Symbol **lockstep_flag(Log *log, const Access *access) {
  bool writes = access_writes(access);
  if (access_is_strong(access))
    return writes ? &log->atomic[strength(access)]
                  : &log->strong_read[strength(access)];
  return writes ? &log->write : &log->read;
}

static const char *flag_word(const Maker *maker, const Access *access) {
  static const char *const scopes[] = {"thread",  "warp", "block",
                                       "cluster", "grid", "system"};
  bool writes = access_writes(access);
  if (!access_is_strong(access))
    return writes ? "written" : "read";
  return arena_printf(&maker->task->arena, "%s_%s_%u",
                      writes ? "atomic" : "strongly_read",
                      scopes[access->scope], (unsigned)access->length->value);
}

static void start_flags(Maker *maker, const Access *access) {
  Log *log = &maker->logs[access->array->number];
  start_flag(maker, lockstep_flag(log, access), access->array,
             flag_word(maker, access));
}

static void start_values(Maker *maker, const Array *array) {
  Log *log = &maker->logs[array->number];
  log->offset = log_variable(maker, array, "written_at", 64);
  log->bits = log_variable(maker, array, "written_bits", BITS_WIDTH);
  log->value = log_variable(maker, array, "written_value", log->value_bits);
}

void lockstep_log_start(Maker *maker) {
  const Kernel *kernel = maker->kernel;
  maker->logs = arena_alloc(&maker->task->arena,
                            (kernel->arrays.count + 1) * sizeof(Log));
  maker->watched = lockstep_variable(maker, "watched", 64);
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && is_seen_by_both(maker, stmt->access.array))
      note_access(maker, &stmt->access);
  }
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS &&
        maker->logs[stmt->access.array->number].is_kept)
      start_flags(maker, &stmt->access);
  }
  for (size_t i = 0; i < kernel->arrays.count; i++)
    if (maker->logs[kernel->arrays.at[i]->number].has_values)
      start_values(maker, kernel->arrays.at[i]);
}

Expr *lockstep_covers(Maker *maker, Expr *offset, Expr *length) {
  Task *task = maker->task;
  return expr_binary(task, EXPR_ULT,
                     expr_sub(task, maker->watched->expr, offset), length);
}

// ---------------------------------------------------------------- logging ---

static Expr *touches(Maker *maker, const Access *access, Expr *here,
                     unsigned thread) {
  return expr_and(
      maker->task, here,
      lockstep_covers(maker, lockstep_copy(maker, thread, access->offset),
                      lockstep_copy(maker, thread, access->length)));
}

static void raise_flag(Maker *maker, Symbol *flag, Expr *when) {
  lockstep_set(maker, flag, expr_or(maker->task, flag->expr, when));
}

static Expr *width_of(Maker *maker, const Access *access) {
  return expr_const(maker->task, BITS_WIDTH,
                    has_value(maker, access) ? access->value->width : 0);
}

static Expr *value_of(Maker *maker, const Log *log, const Access *access,
                      unsigned thread) {
  if (!has_value(maker, access))
    return log->value->expr;
  return expr_zext(maker->task, lockstep_copy(maker, thread, access->value),
                   log->value_bits);
}

static void keep(Maker *maker, Symbol *variable, Expr *value, Expr *when) {
  lockstep_set(maker, variable,
               expr_ite(maker->task, when, value, variable->expr));
}

static void log_write(Maker *maker, const Log *log, const Access *access,
                      Expr *touched) {
  if (!log->has_values) {
    raise_flag(maker, log->write, touched);
    return;
  }
  Symbol *chosen = lockstep_variable(maker, "chosen", 1);
  lockstep_forget(maker, chosen);
  Expr *when = expr_and(maker->task, touched, chosen->expr);
  keep(maker, log->offset, lockstep_copy(maker, 0, access->offset), when);
  keep(maker, log->bits, width_of(maker, access), when);
  keep(maker, log->value, value_of(maker, log, access, 0), when);
  raise_flag(maker, log->write, when);
}

static void log_one(Maker *maker, Log *log, const Access *access, Expr *here) {
  Expr *touched = touches(maker, access, here, 0);
  if (access_writes(access) && !access_is_strong(access))
    log_write(maker, log, access, touched);
  else
    raise_flag(maker, *lockstep_flag(log, access), touched);
}

// --------------------------------------------------------------- checking ---

// A scope that has both threads in it.
static Expr *has_both(const Maker *maker, Scope scope) {
  bool in_block = maker->procedure->threads == THREADS_BLOCK;
  switch (scope) {
  case SCOPE_THREAD:
    return truth(maker, false);
  case SCOPE_WARP:
    return in_block ? maker->same_warp : truth(maker, false);
  case SCOPE_BLOCK:
  case SCOPE_CLUSTER:
    return truth(maker, in_block);
  case SCOPE_GRID:
  case SCOPE_SYSTEM:
    return truth(maker, true);
  }
  return truth(maker, false);
}

static void check_against(Maker *maker, const Stmt *stmt, const char *first,
                          const char *second, Expr *race) {
  lockstep_check(maker, expr_not(maker->task, race),
                 arena_printf(&maker->task->arena, "%s-%s race on '%s'", first,
                              second, stmt->access.array->name),
                 stmt->loc);
}

static Expr *writes_the_same(Maker *maker, const Log *log,
                             const Access *access) {
  Task *task = maker->task;
  if (!log->has_values || !has_value(maker, access))
    return truth(maker, false);
  Expr *same = expr_eq(task, log->bits->expr, width_of(maker, access));
  same = expr_and(task, same,
                  expr_eq(task, log->offset->expr,
                          lockstep_copy(maker, 1, access->offset)));
  return expr_and(
      task, same,
      expr_eq(task, log->value->expr, value_of(maker, log, access, 1)));
}

// Strong accesses of one size are no race, if both have the other in their
// scope.
static void check_strong(Maker *maker, Symbol *const flags[STRENGTHS],
                         const char *what, const Stmt *stmt, Expr *touched) {
  Task *task = maker->task;
  const Access *access = &stmt->access;
  for (unsigned i = 0; i < STRENGTHS; i++) {
    if (!flags[i])
      continue;
    Expr *race = expr_and(task, touched, flags[i]->expr);
    Expr *both = expr_and(task, has_both(maker, (Scope)(i / SIZES)),
                          has_both(maker, access->scope));
    if (access_is_strong(access) && strength(access) % SIZES == i % SIZES)
      race = expr_and(task, race, expr_not(task, both));
    check_against(maker, stmt, what, access_name(stmt->access.kind), race);
  }
}

static void check_one(Maker *maker, const Log *log, const Stmt *stmt,
                      Expr *here) {
  Task *task = maker->task;
  const Access *access = &stmt->access;
  Expr *touched = touches(maker, access, here, 1);
  if (log->read && access_writes(access))
    check_against(maker, stmt, "read", access_name(access->kind),
                  expr_and(task, touched, log->read->expr));
  check_strong(maker, log->atomic, "atomic", stmt, touched);
  if (access_writes(access))
    check_strong(maker, log->strong_read, "read", stmt, touched);
  if (!log->write)
    return;
  Expr *race = expr_and(task, touched, log->write->expr);
  if (access->kind == ACCESS_WRITE)
    race = expr_and(task, race,
                    expr_not(task, writes_the_same(maker, log, access)));
  check_against(maker, stmt, "write", access_name(access->kind), race);
}

void lockstep_log_access(Maker *maker, const Stmt *stmt, Expr *const here[2]) {
  Log *log = &maker->logs[stmt->access.array->number];
  if (!log->is_kept)
    return;
  log_one(maker, log, &stmt->access, here[0]);
  check_one(maker, log, stmt, here[1]);
}

// --------------------------------------------------------------- barriers ---

static void lower_flag(Maker *maker, Symbol *flag, Expr *when) {
  if (flag)
    keep(maker, flag, truth(maker, false), when);
}

void lockstep_log_reset(Maker *maker, const Barrier *barrier, Expr *orders) {
  const Kernel *kernel = maker->kernel;
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    const Array *array = kernel->arrays.at[i];
    const Log *log = &maker->logs[array->number];
    bool is_ordered = array->space == SPACE_SHARED ? barrier->orders_shared
                                                   : barrier->orders_global;
    if (!log->is_kept || !is_ordered || expr_is_false(orders))
      continue;
    lower_flag(maker, log->read, orders);
    lower_flag(maker, log->write, orders);
    for (int k = 0; k < STRENGTHS; k++) {
      lower_flag(maker, log->atomic[k], orders);
      lower_flag(maker, log->strong_read[k], orders);
    }
  }
}
