// Atomic counters: SOUND(atomic-counters).
//
// Threads draw numbers from a counter with atomic additions and use them as
// indices.  These do not collide: if all atomics at an array add one and the
// same constant, and plain writes come before them, any two additions to a cell
// return old values at least that constant apart.  This holds as long as the
// counter does not wrap in this launch and nobody else changes it meanwhile.
// Whether it can wrap is counted where sizes and trip counts are known; else a
// counter with room for a million additions is assumed not to.

#include "translator/pair.h"

#include <math.h>

typedef struct Counter {
  bool is_one;
  uint64_t step;
} Counter;

struct Counters {
  Task *task;
  Kernel *kernel;
  Meetings *meetings;
  Counter *of;       // by Array.number
  ExprMap *mentions; // all that statements and loops compute
};

// ------------------------------------------------------------- additions ---

// What holds if `a` does.
static void add_conjuncts(Task *task, Expr *a, Exprs *conjuncts) {
  if (a->op != EXPR_AND) {
    push(&task->arena, conjuncts, a);
    return;
  }
  for (unsigned i = 0; i < a->count; i++)
    add_conjuncts(task, a->args[i], conjuncts);
}

static bool is_about(Task *task, Expr *a, const Expr *symbol) {
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  return symbols.count == 1 && symbols.at[0]->expr == symbol;
}

// The conjuncts of `a` that speak of nothing but `symbol`.
static Exprs conditions_on(Task *task, Expr *a, const Expr *symbol) {
  Exprs all = {0}, kept = {0};
  add_conjuncts(task, a, &all);
  for (size_t i = 0; i < all.count; i++)
    if (is_about(task, all.at[i], symbol))
      push(&task->arena, &kept, all.at[i]);
  return kept;
}

static uint64_t same_value(const Symbol *symbol, void *data) {
  (void)symbol;
  return *(const uint64_t *)data;
}

static uint64_t no_function(const char *function, const uint64_t *args,
                            unsigned count, void *data) {
  (void)function, (void)args, (void)count, (void)data;
  return 0;
}

static bool has_function(Task *task, const Exprs *conditions) {
  Exprs order = {0};
  ExprMap *seen = expr_map_new(task);
  for (size_t i = 0; i < conditions->count; i++)
    expr_order(task, conditions->at[i], seen, &order);
  for (size_t i = 0; i < order.count; i++)
    if (order.at[i]->op == EXPR_APPLY || order.at[i]->width > 64)
      return true;
  return false;
}

static bool are_true(Task *task, const Exprs *conditions, uint64_t value) {
  Valuation valuation = {same_value, no_function, &value};
  for (size_t i = 0; i < conditions->count; i++)
    if (!expr_evaluate(task, &valuation, conditions->at[i]))
      return false;
  return true;
}

enum { MOST_TRIED = 1 << 16 };

// Threads of a block along an axis that may come to the statement.
static double threads_along(const Counters *counters, const Stmt *stmt,
                            unsigned axis) {
  Task *task = counters->task;
  const Kernel *kernel = counters->kernel;
  Expr *id = kernel->thread_id[axis], *size = kernel->block_size[axis];
  if (expr_is_const(id))
    return 1;
  // SOUND(launch-limits)
  uint64_t most =
      expr_is_const(size) ? size->value : kernel_most_threads(kernel);
  Exprs conditions = conditions_on(task, stmt->guard, id);
  if (most > MOST_TRIED)
    return (double)most;
  if (!conditions.count || has_function(task, &conditions))
    return expr_is_const(size) ? (double)most : INFINITY;
  double threads = 0;
  for (uint64_t i = 0; i < most; i++)
    threads += are_true(task, &conditions, i);
  return threads;
}

static double blocks_along(const Kernel *kernel, unsigned axis) {
  const Expr *size = kernel->grid_size[axis];
  if (expr_is_const(kernel->block_id[axis]))
    return 1;
  return expr_is_const(size) ? (double)size->value : INFINITY;
}

static double blocks_of(const Kernel *kernel) {
  double blocks = 1;
  for (unsigned axis = 0; axis < 3; axis++)
    blocks *= blocks_along(kernel, axis);
  return blocks;
}

static double threads_of_block(const Counters *counters, const Stmt *stmt) {
  double threads = 1;
  for (unsigned axis = 0; axis < 3; axis++)
    threads *= threads_along(counters, stmt, axis);
  return fmin(threads, (double)kernel_most_threads(counters->kernel));
}

// A loop goes on at most until what depends on its iteration alone ends it; a
// statement is executed in those iterations that its guard does not exclude.
static double trips_of(const Counters *counters, const Stmt *stmt,
                       const Loop *loop) {
  enum { MOST_TRIPS = 4096 };
  Task *task = counters->task;
  Context *context = &meeting_single(counters->meetings, false)->context[0];
  Expr *again = context_expr(context, loop->again);
  Expr *guard = context_expr(context, stmt->guard);
  Exprs goes_on = conditions_on(task, again, loop->iteration->expr);
  Exprs gets_there = conditions_on(task, guard, loop->iteration->expr);
  double trips = 0;
  if (expr_is_false(again))
    return 1;
  if (has_function(task, &goes_on) || has_function(task, &gets_there))
    return INFINITY;
  for (uint64_t i = 0; i < MOST_TRIPS; i++) {
    trips += are_true(task, &gets_there, i);
    if (!are_true(task, &goes_on, i))
      return trips;
  }
  return INFINITY;
}

// How often a statement adds to one cell, at most.  `unknown` counts for each
// number that is not known.
static double additions_by(const Counters *counters, const Stmt *stmt,
                           double unknown) {
  bool is_global = stmt->access.array->space != SPACE_SHARED;
  double factors[] = {threads_of_block(counters, stmt),
                      is_global ? blocks_of(counters->kernel) : 1};
  double all = 1;
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
    all *= isinf(factors[i]) ? unknown : factors[i];
  for (const Loop *loop = stmt->block->loop; loop; loop = loop->parent) {
    double trips = trips_of(counters, stmt, loop);
    all *= isinf(trips) ? unknown : trips;
  }
  return all;
}

static bool is_addition(const Stmt *stmt, const Array *array) {
  return stmt->kind == STMT_ACCESS && stmt->access.array == array &&
         stmt->access.kind == ACCESS_ATOMIC;
}

static double additions_to(const Counters *counters, const Array *array,
                           double unknown) {
  double all = 0;
  for (size_t i = 0; i < counters->kernel->stmts.count; i++) {
    const Stmt *stmt = counters->kernel->stmts.at[i];
    if (is_addition(stmt, array))
      all += additions_by(counters, stmt, unknown);
  }
  return all;
}

static uint64_t magnitude(uint64_t step, unsigned bits) {
  uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
  bool is_down = step >> (bits - 1) & 1;
  return (is_down ? 0 - step : step) & mask;
}

// So many additions bring the counter to where it was.
static bool has_room(const Counters *counters, const Array *array,
                     uint64_t step, unsigned bits) {
  const double enough = 1 << 20;
  double room = ldexp(1, (int)bits) / (double)magnitude(step, bits);
  double most = additions_to(counters, array, INFINITY);
  return isinf(most)
             ? room >= enough && additions_to(counters, array, 1) <= room
             : most <= room;
}

// -------------------------------------------------------------- counters ---

static bool is_set_again(const Counters *counters, const Stmt *write) {
  const Kernel *kernel = counters->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (is_addition(stmt, write->access.array) &&
        can_follow(counters->task, kernel, stmt, write))
      return true;
  }
  return false;
}

// A write that is volatile comes at any time between two barriers, and is no
// race with the additions there.
static bool is_set_meanwhile(const Counters *counters, const Stmt *write) {
  const Kernel *kernel = counters->kernel;
  Space space = write->access.array->space;
  Reach reach = space == SPACE_SHARED ? REACH_BLOCK : REACH_GRID;
  if (!write->access.is_volatile)
    return false;
  const AccessPlaces *places =
      interval_places(counters->task, kernel, reach, space);
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (is_addition(kernel->stmts.at[i], write->access.array) &&
        places_share_interval(&places[write->number],
                              &places[kernel->stmts.at[i]->number]))
      return true;
  return false;
}

// Another block may do what the proof leaves out: set the counter, or add to
// it with an atomic that is none for this block.
static bool may_others_disturb(const Kernel *kernel, const Access *access) {
  return kernel->options->only_intra_group && blocks_of(kernel) > 1 &&
         access->array->space != SPACE_SHARED &&
         (access->kind == ACCESS_WRITE || access->scope < SCOPE_GRID);
}

// Is what the statement does to the array the same addition as `first`?
static bool keeps_counter(const Counters *counters, const Stmt *stmt,
                          const Access *first) {
  const Access *access = &stmt->access;
  if (access->kind == ACCESS_READ)
    return true;
  if (may_others_disturb(counters->kernel, access))
    return false;
  if (access->kind == ACCESS_WRITE)
    return !is_set_again(counters, stmt) && !is_set_meanwhile(counters, stmt);
  return access->step == first->step && // of what is no addition it is 0
         access->length == first->length;
}

static const Access *first_addition(const Kernel *kernel, const Array *array) {
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (is_addition(kernel->stmts.at[i], array))
      return &kernel->stmts.at[i]->access;
  return NULL;
}

static Counter find_counter(const Counters *counters, const Array *array) {
  const Kernel *kernel = counters->kernel;
  const Access *first = first_addition(kernel, array);
  if (!first || !first->is_add || !expr_is_const(first->length) ||
      first->length->value > 8)
    return (Counter){0};
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.array == array &&
        !keeps_counter(counters, stmt, first))
      return (Counter){0};
  }
  unsigned bits = 8 * (unsigned)first->length->value;
  return (Counter){has_room(counters, array, first->step, bits), first->step};
}

static void note_mentions(Counters *counters) {
  Task *task = counters->task;
  const Kernel *kernel = counters->kernel;
  Exprs used = {0}, order = {0};
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *s = kernel->stmts.at[i];
    Expr *const all[] = {s->guard, s->access.offset, s->access.length,
                         s->access.value, s->condition};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
      if (all[k])
        push(&task->arena, &used, all[k]);
    exprs_add(task, &s->barrier.alike, &used);
  }
  for (size_t i = 0; i < kernel->loops.count; i++) {
    const Loop *loop = kernel->loops.at[i];
    push(&task->arena, &used, loop->entry);
    push(&task->arena, &used, loop->again);
    for (size_t k = 0; k < loop->phis.count; k++) {
      push(&task->arena, &used, loop->phis.at[k]->init);
      push(&task->arena, &used, loop->phis.at[k]->next);
    }
  }
  for (size_t i = 0; i < used.count; i++)
    expr_order(task, used.at[i], counters->mentions, &order);
}

Counters *counters_new(Task *task, Kernel *kernel, Meetings *meetings) {
  Counters *counters = NEW(&task->arena, Counters);
  *counters = (Counters){.task = task,
                         .kernel = kernel,
                         .meetings = meetings,
                         .mentions = expr_map_new(task)};
  counters->of = arena_alloc(&task->arena,
                             (kernel->arrays.count + 1) * sizeof *counters->of);
  note_mentions(counters);
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    const Array *array = kernel->arrays.at[i];
    counters->of[array->number] = find_counter(counters, array);
  }
  return counters;
}

// ----------------------------------------------------------------- facts ---

static Expr *counts_apart(Meeting *meeting, const Stmt *a, const Stmt *b,
                          uint64_t step) {
  Task *task = meeting->task;
  Context *one = &meeting->context[0], *two = &meeting->context[1];
  Expr *x = context_expr(one, a->access.result->expr);
  Expr *y = context_expr(two, b->access.result->expr);
  Expr *by = expr_const(task, x->width, magnitude(step, x->width));
  Expr *apart = expr_binary(
      task, EXPR_AND, expr_binary(task, EXPR_ULE, by, expr_sub(task, x, y)),
      expr_binary(task, EXPR_ULE, by, expr_sub(task, y, x)));
  Expr *both =
      expr_and(task, context_expr(one, a->guard), context_expr(two, b->guard));
  Expr *one_cell = expr_eq(task, context_expr(one, a->access.offset),
                           context_expr(two, b->access.offset));
  return expr_implies(task, expr_and(task, both, one_cell), apart);
}

// Is it one array to both threads?
static bool is_common(const Meeting *meeting, const Array *array) {
  switch (array->space) {
  case SPACE_GLOBAL:
  case SPACE_CONSTANT:
    break;
  case SPACE_SHARED:
    return meeting->same_block;
  case SPACE_PRIVATE:
    return false;
  }
  return true;
}

static bool is_result_used(const Counters *counters, const Stmt *stmt) {
  return stmt->kind == STMT_ACCESS && stmt->access.kind == ACCESS_ATOMIC &&
         counters->of[stmt->access.array->number].is_one &&
         expr_map_get(counters->mentions, stmt->access.result->expr);
}

void counters_add_facts(Counters *counters, Meeting *meeting,
                        Obligation *obligation) {
  Arena *arena = &counters->task->arena;
  const Kernel *kernel = counters->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *a = kernel->stmts.at[i];
    if (!is_result_used(counters, a) || !is_common(meeting, a->access.array))
      continue;
    for (size_t k = 0; k < kernel->stmts.count; k++) {
      const Stmt *b = kernel->stmts.at[k];
      if (!is_result_used(counters, b) || b->access.array != a->access.array)
        continue;
      Expr *fact = counts_apart(meeting, a, b,
                                counters->of[a->access.array->number].step);
      push(arena, &obligation->facts, fact);
      push(arena, &obligation->counters, fact);
    }
  }
}
