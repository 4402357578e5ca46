// Atomic counters: SOUND(atomic-counters).
//
// Threads draw numbers from a counter with atomic additions and use them as
// indices, one number or as many in a row as they add.  These do not collide:
// if all atomics at an array go one way, and plain writes come before them,
// what one addition to a cell passes over no other one does.  This holds as
// long as the counter does not wrap in this launch and nobody else changes it
// meanwhile. Whether it can wrap is counted where sizes, trip counts and
// amounts are known; else a counter with room for a million additions is
// assumed not to.
//
// An amount that is no constant has to be proved not to be negative
// (smt/promises.c), of whoever adds it: who takes back gives numbers twice.

#include "translator/pair.h"

#include <math.h>

typedef struct Counter {
  bool is_one;
  bool is_down;
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
                      is_global ? kernel_most_blocks(counters->kernel) : 1};
  double all = 1;
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
    all *= isinf(factors[i]) ? unknown : factors[i];
  for (const Loop *loop = stmt->block->loop; loop; loop = loop->parent) {
    double trips = trips_of(counters, stmt, loop);
    all *= isinf(trips) ? unknown : trips;
  }
  return all;
}

// How far an addition takes the counter.
static Expr *amount_of(Task *task, const Access *access, bool is_down) {
  Expr *zero = expr_const(task, access->operand->width, 0);
  return is_down ? expr_sub(task, zero, access->operand) : access->operand;
}

static double size_of(Task *task, const Access *access, bool is_down,
                      double unknown) {
  Expr *amount = amount_of(task, access, is_down);
  return expr_is_const(amount) ? (double)amount->value : unknown;
}

// How far the additions to a cell take it in all.
static double sum_of(const Counters *counters, const Array *array, bool is_down,
                     double unknown) {
  double all = 0;
  for (size_t i = 0; i < counters->kernel->stmts.count; i++) {
    const Stmt *stmt = counters->kernel->stmts.at[i];
    if (!atomic_writes(stmt, array))
      continue;
    double size = size_of(counters->task, &stmt->access, is_down, unknown);
    if (size > 0)
      all += size * additions_by(counters, stmt, unknown);
  }
  return all;
}

static double largest_step(const Counters *counters, const Array *array,
                           bool is_down) {
  double largest = 1;
  for (size_t i = 0; i < counters->kernel->stmts.count; i++) {
    const Stmt *stmt = counters->kernel->stmts.at[i];
    if (atomic_writes(stmt, array))
      largest =
          fmax(largest, size_of(counters->task, &stmt->access, is_down, 1));
  }
  return largest;
}

// The counter does not come to where it was.
static bool has_room(const Counters *counters, const Array *array, bool is_down,
                     unsigned bits) {
  const double enough = 1 << 20;
  double room = bits < 64 ? ldexp(1, (int)bits) : ldexp(0.99, 64); // inexact
  double sum = sum_of(counters, array, is_down, INFINITY);
  return isinf(sum) ? room / largest_step(counters, array, is_down) >= enough &&
                          sum_of(counters, array, is_down, 1) <= room
                    : sum <= room;
}

// -------------------------------------------------------------- counters ---

static bool is_negative(const Expr *a) {
  return expr_is_const(a) && a->value >> (a->width - 1) & 1;
}

// Does it go the way that the counter goes?
static bool goes_one_way(Task *task, const Access *access, bool is_down) {
  if (access->op != ATOMIC_ADD)
    return false;
  Expr *amount = access->operand;
  if (expr_is_const(amount))
    return amount->value == 0 || is_negative(amount) == is_down;
  return !is_down &&
         atomic_is_promised(access, premise_is_natural(task, amount));
}

// Is what the statement does to the array no harm to its being a counter?
static bool keeps_counter(const Counters *counters, const Stmt *stmt,
                          const Access *first, bool is_down) {
  const Access *access = &stmt->access;
  if (!access_writes(access))
    return true;
  if (atomics_are_disturbed(counters->task, counters->kernel, stmt))
    return false;
  return access->kind == ACCESS_WRITE ||
         (goes_one_way(counters->task, access, is_down) &&
          access->length == first->length);
}

static const Access *first_addition(const Kernel *kernel, const Array *array) {
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (atomic_writes(kernel->stmts.at[i], array))
      return &kernel->stmts.at[i]->access;
  return NULL;
}

static bool takes_back(const Kernel *kernel, const Array *array) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (atomic_writes(stmt, array) && stmt->access.op == ATOMIC_ADD &&
        is_negative(stmt->access.operand))
      return true;
  }
  return false;
}

static Counter find_counter(const Counters *counters, const Array *array) {
  const Kernel *kernel = counters->kernel;
  const Access *first = first_addition(kernel, array);
  bool is_down = takes_back(kernel, array);
  if (!first || !expr_is_const(first->length) || first->length->value > 8)
    return (Counter){0};
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.array == array &&
        !keeps_counter(counters, stmt, first, is_down))
      return (Counter){0};
  }
  unsigned bits = 8 * (unsigned)first->length->value;
  return (Counter){has_room(counters, array, is_down, bits), is_down};
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
    if (s->barrier.value)
      push(&task->arena, &used, s->barrier.value);
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

// Whoever adds `amount` to `from` does not pass over `other`.
static Expr *leaves_out(Task *task, Expr *from, Expr *other, Expr *amount,
                        bool is_down) {
  Expr *distance =
      is_down ? expr_sub(task, from, other) : expr_sub(task, other, from);
  return expr_binary(task, EXPR_ULE, amount, distance);
}

// Modulo 2^width, so it does not matter where the counter begins.
static Expr *counts_apart(Context *one, Context *two, const Stmt *a,
                          const Stmt *b, bool is_down) {
  Task *task = one->meeting->task;
  Expr *x = context_expr(one, a->access.result->expr);
  Expr *y = context_expr(two, b->access.result->expr);
  Expr *by_x = context_expr(one, amount_of(task, &a->access, is_down));
  Expr *by_y = context_expr(two, amount_of(task, &b->access, is_down));
  Expr *apart = expr_and(task, leaves_out(task, x, y, by_x, is_down),
                         leaves_out(task, y, x, by_y, is_down));
  Expr *both = expr_and(task, context_guard(one, a), context_guard(two, b));
  Expr *one_cell = expr_eq(task, context_expr(one, a->access.offset),
                           context_expr(two, b->access.offset));
  Expr *zero = expr_const(task, x->width, 0);
  Expr *both_move = expr_not(task, expr_or(task, expr_eq(task, by_x, zero),
                                           expr_eq(task, by_y, zero)));
  Expr *met = expr_and(task, both, one_cell);
  return expr_implies(task, expr_and(task, met, both_move), apart);
}

static bool is_result_used(const Counters *counters, const Stmt *stmt) {
  return stmt->kind == STMT_ACCESS && stmt->access.op == ATOMIC_ADD &&
         counters->of[stmt->access.array->number].is_one &&
         expr_map_get(counters->mentions, stmt->access.result->expr);
}

void counters_add_facts(Counters *counters, Meeting *meeting,
                        Obligation *obligation) {
  Arena *arena = &counters->task->arena;
  const Kernel *kernel = counters->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *a = kernel->stmts.at[i];
    if (!is_result_used(counters, a) ||
        !meeting_shares(meeting, a->access.array))
      continue;
    for (size_t k = 0; k < kernel->stmts.count; k++) {
      const Stmt *b = kernel->stmts.at[k];
      if (!is_result_used(counters, b) || b->access.array != a->access.array)
        continue;
      Expr *fact =
          counts_apart(&meeting->context[0], &meeting->context[1], a, b,
                       counters->of[a->access.array->number].is_down);
      push(arena, &obligation->facts, fact);
      push(arena, &obligation->counters, fact);
    }
  }
}

// One lane adds once in an iteration, and both threads may have that from it.
static Expr *is_one_addition(const Source *one, const Source *two,
                             const Stmt *a, const Stmt *b) {
  Task *task = one->of->meeting->task;
  if (a != b)
    return expr_bool(task, false);
  return expr_and(task, sources_are_one(one, two),
                  sources_in_one_iteration(one, two, a->block->loop));
}

static bool has_added(const Counters *counters, const Source *source,
                      const Stmt *stmt) {
  return is_result_used(counters, stmt) &&
         position_has_passed(position_of(source->shuffle), stmt);
}

static void add_of_two(const Counters *counters, Source *one, Source *two,
                       Obligation *obligation) {
  Task *task = counters->task;
  const Kernel *kernel = counters->kernel;
  Expr *both = expr_and(task, source_is_there(one), source_is_there(two));
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *a = kernel->stmts.at[i];
    if (!has_added(counters, one, a) ||
        !meeting_shares(one->of->meeting, a->access.array))
      continue;
    for (size_t k = 0; k < kernel->stmts.count; k++) {
      const Stmt *b = kernel->stmts.at[k];
      if (!has_added(counters, two, b) || a->access.array != b->access.array)
        continue;
      bool is_down = counters->of[a->access.array->number].is_down;
      Expr *two_of_them =
          expr_and(task, both, expr_not(task, is_one_addition(one, two, a, b)));
      Expr *fact = expr_implies(
          task, two_of_them,
          counts_apart(&one->context, &two->context, a, b, is_down));
      push(&task->arena, &obligation->facts, fact);
      push(&task->arena, &obligation->counters, fact);
    }
  }
}

void counters_add_of_sources(Counters *counters, const Sources *sources,
                             Obligation *obligation) {
  for (size_t i = 0; i < sources[0].count; i++)
    for (size_t k = 0; k < sources[1].count; k++)
      add_of_two(counters, sources[0].at[i], sources[1].at[k], obligation);
}
