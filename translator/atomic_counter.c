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

// -------------------------------------------------------------- counters ---

// The counter does not come to where it was.
static bool has_room(const Counters *counters, const Array *array, bool is_down,
                     unsigned bits) {
  Counting counting = {counters->task, counters->kernel, counters->meetings};
  double room = bits < 64 ? ldexp(1, (int)bits) : ldexp(0.99, 64); // inexact
  Additions additions = {.is_down = is_down};
  for (size_t i = 0; i < counters->kernel->stmts.count; i++)
    if (atomic_writes(counters->kernel->stmts.at[i], array))
      push(&counters->task->arena, &additions.of,
           counters->kernel->stmts.at[i]);
  return additions_fit(&counting, &additions, room);
}

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
Expr *counter_parts(Task *task, Expr *x, Expr *by_x, Expr *y, Expr *by_y,
                    bool is_down) {
  Expr *apart = expr_and(task, leaves_out(task, x, y, by_x, is_down),
                         leaves_out(task, y, x, by_y, is_down));
  Expr *zero = expr_const(task, x->width, 0);
  Expr *both_move = expr_not(task, expr_or(task, expr_eq(task, by_x, zero),
                                           expr_eq(task, by_y, zero)));
  return expr_implies(task, both_move, apart);
}

static Expr *counts_apart(Context *one, Context *two, const Stmt *a,
                          const Stmt *b, bool is_down) {
  Task *task = one->meeting->task;
  Expr *x = context_expr(one, a->access.result->expr);
  Expr *y = context_expr(two, b->access.result->expr);
  Expr *by_x = context_expr(one, addition_amount(task, &a->access, is_down));
  Expr *by_y = context_expr(two, addition_amount(task, &b->access, is_down));
  Expr *both = expr_and(task, context_guard(one, a), context_guard(two, b));
  Expr *one_cell = expr_eq(task, context_expr(one, a->access.offset),
                           context_expr(two, b->access.offset));
  return expr_implies(task, expr_and(task, both, one_cell),
                      counter_parts(task, x, by_x, y, by_y, is_down));
}

static bool is_addition(const Stmt *stmt) {
  return stmt->kind == STMT_ACCESS && stmt->access.op == ATOMIC_ADD &&
         stmt->access.result;
}

static bool is_mentioned(const Counters *counters, const Stmt *stmt) {
  return expr_map_get(counters->mentions, stmt->access.result->expr);
}

static Counter counter_of(const Counters *counters, const Stmt *stmt) {
  return counters->of[stmt->access.array->number];
}

static void add_fact(const Counters *counters, Obligation *obligation,
                     Expr *fact) {
  push(&counters->task->arena, &obligation->facts, fact);
  push(&counters->task->arena, &obligation->counters, fact);
}

static void add_of_first(const Counters *counters, Meeting *meeting,
                         const Stmt *a, const Stmt *b, Obligation *obligation) {
  Counter counter = counter_of(counters, a);
  Expr *apart = first_draws_apart(counters->kernel->cells, meeting, a, b,
                                  counter.is_down);
  if (apart && counter.is_one)
    add_fact(counters, obligation, apart);
}

// A counter for good, or from one barrier to the next.
static void add_of_both(const Counters *counters, Meeting *meeting,
                        const Stmt *a, const Stmt *b, Obligation *obligation) {
  Task *task = counters->task;
  Counter counter = counter_of(counters, a);
  const Stmt *since = total_opens_both(counters->kernel->cells, a, b);
  if (!counter.is_one && !since)
    return;
  Expr *apart = counts_apart(&meeting->context[0], &meeting->context[1], a, b,
                             counter.is_down);
  if (!counter.is_one)
    apart = expr_implies(task, meeting_is_in_one(meeting, since->block->loop),
                         apart);
  add_fact(counters, obligation, apart);
}

void counters_add_facts(Counters *counters, Meeting *meeting,
                        Obligation *obligation) {
  const Kernel *kernel = counters->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *a = kernel->stmts.at[i];
    if (!is_addition(a) || !meeting_shares(meeting, a->access.array))
      continue;
    for (size_t k = 0; k < kernel->stmts.count; k++) {
      const Stmt *b = kernel->stmts.at[k];
      if (!is_addition(b) || b->access.array != a->access.array)
        continue;
      if (is_mentioned(counters, a) && is_mentioned(counters, b))
        add_of_both(counters, meeting, a, b, obligation);
      add_of_first(counters, meeting, a, b, obligation);
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
  return is_addition(stmt) && is_mentioned(counters, stmt) &&
         position_has_passed(position_of(source->shuffle), stmt);
}

// They draw where no other numbers were given meanwhile.
static Expr *draw_from_one(const Counters *counters, const Source *one,
                           const Source *two, const Stmt *a, const Stmt *b) {
  Task *task = counters->task;
  const Stmt *since = total_opens_both(counters->kernel->cells, a, b);
  if (counter_of(counters, a).is_one)
    return expr_bool(task, true);
  return since ? sources_in_one_iteration(one, two, since->block->loop)
               : expr_bool(task, false);
}

static void add_of_additions(const Counters *counters, Source *one, Source *two,
                             const Stmt *a, const Stmt *b,
                             Obligation *obligation) {
  Task *task = counters->task;
  Expr *from_one = draw_from_one(counters, one, two, a, b);
  if (expr_is_false(from_one))
    return;
  Expr *both = expr_and(task, source_is_there(one), source_is_there(two));
  Expr *two_of_them =
      expr_and(task, both, expr_not(task, is_one_addition(one, two, a, b)));
  add_fact(counters, obligation,
           expr_implies(task, expr_and(task, from_one, two_of_them),
                        counts_apart(&one->context, &two->context, a, b,
                                     counter_of(counters, a).is_down)));
}

static void add_of_two(const Counters *counters, Source *one, Source *two,
                       Obligation *obligation) {
  const Kernel *kernel = counters->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *a = kernel->stmts.at[i];
    if (!has_added(counters, one, a) ||
        !meeting_shares(one->of->meeting, a->access.array))
      continue;
    for (size_t k = 0; k < kernel->stmts.count; k++) {
      const Stmt *b = kernel->stmts.at[k];
      if (has_added(counters, two, b) && a->access.array == b->access.array)
        add_of_additions(counters, one, two, a, b, obligation);
    }
  }
}

static void add_of_totals(const Counters *counters, const Sources *sources,
                          Position position, Obligation *obligation) {
  Exprs facts = {0};
  for (size_t i = 0; i < sources->count; i++)
    totals_add_of_source(counters->kernel->cells, sources->at[i], position,
                         &facts);
  for (size_t i = 0; i < facts.count; i++)
    add_fact(counters, obligation, facts.at[i]);
}

void counters_add_of_sources(Counters *counters, const Sources *sources,
                             const Position *positions,
                             Obligation *obligation) {
  for (size_t i = 0; i < sources[0].count; i++)
    for (size_t k = 0; k < sources[1].count; k++)
      add_of_two(counters, sources[0].at[i], sources[1].at[k], obligation);
  for (unsigned i = 0; i < 2; i++)
    add_of_totals(counters, &sources[i], positions[i], obligation);
}
