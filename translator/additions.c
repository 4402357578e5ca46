// How far atomic additions take a cell in all.
//
// Whoever comes to a statement adds there: as many threads of the block as its
// guard lets through, in as many blocks as there are, and in each iteration of
// the loops around.  That is a number where the launch, the loops and the
// amounts say so.  Of what is not known it is assumed that a cell with room for
// a million additions has room for all: SOUND(atomic-counters).

#include "translator/pair.h"

#include <math.h>

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
static double threads_along(const Counting *counting, const Stmt *stmt,
                            unsigned axis) {
  Task *task = counting->task;
  const Kernel *kernel = counting->kernel;
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

static double threads_of_block(const Counting *counting, const Stmt *stmt) {
  double threads = 1;
  for (unsigned axis = 0; axis < 3; axis++)
    threads *= threads_along(counting, stmt, axis);
  return fmin(threads, (double)kernel_most_threads(counting->kernel));
}

// A loop goes on at most until what depends on its iteration alone ends it; a
// statement is executed in those iterations that its guard does not exclude.
static double trips_of(const Counting *counting, const Stmt *stmt,
                       const Loop *loop) {
  enum { MOST_TRIPS = 4096 };
  Task *task = counting->task;
  Context *context = &meeting_single(counting->meetings, false)->context[0];
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
static double additions_by(const Counting *counting, const Stmt *stmt,
                           const Loop *around, double unknown) {
  bool is_global = stmt->access.array->space != SPACE_SHARED;
  double factors[] = {threads_of_block(counting, stmt),
                      is_global ? kernel_most_blocks(counting->kernel) : 1};
  double all = 1;
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
    all *= isinf(factors[i]) ? unknown : factors[i];
  for (const Loop *loop = stmt->block->loop; loop != around;
       loop = loop->parent) {
    double trips = trips_of(counting, stmt, loop);
    all *= isinf(trips) ? unknown : trips;
  }
  return all;
}

// How far an addition takes the counter.
Expr *addition_amount(Task *task, const Access *access, bool is_down) {
  Expr *zero = expr_const(task, access->operand->width, 0);
  return is_down ? expr_sub(task, zero, access->operand) : access->operand;
}

static double size_of(Task *task, const Access *access, bool is_down,
                      double unknown) {
  Expr *amount = addition_amount(task, access, is_down);
  return expr_is_const(amount) ? (double)amount->value : unknown;
}

double additions_sum(const Counting *counting, const Additions *additions,
                     double unknown) {
  double all = 0;
  for (size_t i = 0; i < additions->of.count; i++) {
    const Stmt *stmt = additions->of.at[i];
    double size =
        size_of(counting->task, &stmt->access, additions->is_down, unknown);
    if (size > 0)
      all += size * additions_by(counting, stmt, additions->around, unknown);
  }
  return all;
}

static double largest_step(const Counting *counting,
                           const Additions *additions) {
  double largest = 1;
  for (size_t i = 0; i < additions->of.count; i++)
    largest =
        fmax(largest, size_of(counting->task, &additions->of.at[i]->access,
                              additions->is_down, 1));
  return largest;
}

bool additions_fit(const Counting *counting, const Additions *additions,
                   double room) {
  const double enough = 1 << 20;
  double sum = additions_sum(counting, additions, INFINITY);
  return isinf(sum) ? room / largest_step(counting, additions) >= enough &&
                          additions_sum(counting, additions, 1) <= room
                    : sum <= room;
}
