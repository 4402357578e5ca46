// Numbers that threads of a block draw between two barriers.
//
//   if (threadIdx.x == 0) total = 0;
//   __syncthreads();
//   if (keeps) mine = atomicAdd(&total, 1);
//   __syncthreads();
//   .. total ..
//
// Before and behind such an interval anybody may write the cell, so it is no
// counter for good (atomic_counter.c).  But where all that changes it between
// the two barriers are additions of what is not negative, and they come to less
// than the cell has room for, then, counted from what it held at the first
// barrier: each number and the amount added to it is at most what it holds at
// the second one, which is at most what all can add; and no two threads get
// one number.
//
// The interval of an addition is told by the iterations of the loops around the
// barrier before it.  An addition that more than one barrier may come before,
// or behind, is in no such interval.

#include "translator/cells.h"

#include <math.h>

static unsigned bits_of(const SharedCell *cell) {
  return 8 * (unsigned)cell->length->value;
}

// ----------------------------------------------------------------- draws ---

static bool is_draw(Task *task, const Stmt *stmt, const SharedCell *cell) {
  const Access *access = &stmt->access;
  return cell_is_written(stmt, cell) && access->kind == ACCESS_ATOMIC &&
         access->op == ATOMIC_ADD && access->scope >= SCOPE_BLOCK &&
         access->operand->width == bits_of(cell) &&
         atomic_is_promised(access, premise_is_natural(task, access->operand));
}

// Whoever has drawn comes to this barrier next, in the iteration that formulas
// speak of.  NULL: there are several.
static const Stmt *next_barrier(const Cells *cells, const Stmt *draw) {
  Task *task = cells->follower.task;
  const Kernel *kernel = cells->follower.kernel;
  const Stmt *next = NULL;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (!cell_is_settled(stmt, NULL) ||
        !way_exists(task, kernel, draw, stmt, NULL, cell_is_settled, NULL))
      continue;
    if (next)
      return NULL;
    next = stmt;
  }
  bool is_behind =
      next && next->number > draw->number &&
      (!next->block->loop || loop_contains(next->block->loop, draw->block));
  return is_behind ? next : NULL;
}

static bool find_draws(const Cells *cells, Total *total) {
  Task *task = cells->follower.task;
  const Kernel *kernel = cells->follower.kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (!cell_is_written_since(cells, total->cell, total->since, stmt))
      continue;
    if (!is_draw(task, stmt, total->cell) ||
        cell_since(cells, stmt) != total->since ||
        next_barrier(cells, stmt) != total->until)
      return false;
    push(&task->arena, &total->draws, stmt);
  }
  return true;
}

// ------------------------------------------------------------------ room ---

// How far they can take the cell.  Negative: maybe further than it has room
// for.
static double most_of(const Cells *cells, const Total *total) {
  Kernel *kernel = cells->follower.kernel;
  Task *task = cells->follower.task;
  Counting counting = {task, kernel, meetings_new(task, kernel)};
  Additions all = {.of = total->draws, .around = total->since->block->loop};
  unsigned bits = bits_of(total->cell);
  double half = ldexp(1, (int)bits - 1);
  double most = additions_sum(&counting, &all, INFINITY);
  if (!isinf(most))
    return most < half ? most : -1;
  if (!additions_fit(&counting, &all, half - 1))
    return -1;
  kernel_assume(task, kernel, "atomic-counters");
  return half - 1;
}

// ----------------------------------------------------------------- facts ---

static Expr *at_most(Task *task, Expr *a, Expr *b) {
  return expr_binary(task, EXPR_ULE, a, b);
}

// As the barrier's iteration has it.
static Expr *start_of(const Cells *cells, const Total *total) {
  return cell_held(cells, total->cell, total->since);
}

static Expr *end_of(const Cells *cells, const Total *total) {
  return cell_held(cells, total->cell, total->until);
}

// What was drawn, and the amount, have room in all that was drawn.
static Expr *is_within(const Cells *cells, const Total *total,
                       const Stmt *draw) {
  Task *task = cells->follower.task;
  Expr *start = start_of(cells, total);
  Expr *all = expr_sub(task, end_of(cells, total), start);
  Expr *before = expr_sub(task, draw->access.result->expr, start);
  Expr *rest = expr_sub(task, all, before);
  return expr_implies(task, draw->guard,
                      expr_and(task, at_most(task, before, all),
                               at_most(task, draw->access.operand, rest)));
}

static void add_facts(const Cells *cells, const Total *total, double most) {
  Task *task = cells->follower.task;
  Expr *all = expr_sub(task, end_of(cells, total), start_of(cells, total));
  if (cell_is_next(cells, total->since, total->until))
    cell_add_fact(
        cells, total->until,
        expr_implies(
            task, total->since->guard,
            at_most(task, all, expr_const(task, all->width, (uint64_t)most))));
  for (size_t i = 0; i < total->draws.count; i++)
    if (total->draws.at[i]->access.result)
      cell_add_fact(cells, total->until,
                    is_within(cells, total, total->draws.at[i]));
}

static const Total *total_of(const Cells *cells, const Stmt *draw) {
  for (size_t i = 0; cells && i < cells->totals.count; i++)
    for (size_t k = 0; k < cells->totals.at[i]->draws.count; k++)
      if (cells->totals.at[i]->draws.at[k] == draw)
        return cells->totals.at[i];
  return NULL;
}

static void find_total(Cells *cells, const SharedCell *cell, const Stmt *draw) {
  Arena *arena = &cells->follower.task->arena;
  const Stmt *since = cell_since(cells, draw);
  const Stmt *until = next_barrier(cells, draw);
  if (!since || !until || total_of(cells, draw))
    return;
  Total *total = NEW(arena, Total);
  *total = (Total){.cell = cell, .since = since, .until = until};
  double most = find_draws(cells, total) ? most_of(cells, total) : -1;
  if (most < 0)
    return;
  push(arena, &cells->totals, total);
  add_facts(cells, total, most);
}

void totals_find(Cells *cells) {
  Task *task = cells->follower.task;
  const Kernel *kernel = cells->follower.kernel;
  for (size_t i = 0; i < cells->all.count; i++)
    for (size_t k = 0; k < kernel->stmts.count; k++)
      if (is_draw(task, kernel->stmts.at[k], cells->all.at[i]))
        find_total(cells, cells->all.at[i], kernel->stmts.at[k]);
}

const Stmt *total_opens_both(const Cells *cells, const Stmt *a, const Stmt *b) {
  const Total *total = total_of(cells, a);
  return total && total == total_of(cells, b) ? total->since : NULL;
}

// The lane is in the same iteration of the loops around the second barrier as
// the thread, which is behind it.
static bool has_summed(const Source *source, Position position,
                       const Total *total) {
  const Loop *loop = total->until->block->loop;
  bool is_in_step = !loop || (!source->gathered &&
                              loop_contains(loop, source->shuffle->block));
  return is_in_step && position_has_passed(position, total->until);
}

void totals_add_of_source(const Cells *cells, Source *source, Position position,
                          Exprs *facts) {
  Task *task = source->of->meeting->task;
  for (size_t i = 0; cells && i < cells->totals.count; i++) {
    const Total *total = cells->totals.at[i];
    Expr *there = expr_and(task, source_is_there(source),
                           context_expr(source->of, total->until->guard));
    for (size_t k = 0; k < total->draws.count; k++) {
      const Stmt *draw = total->draws.at[k];
      if (has_summed(source, position, total) && draw->access.result &&
          position_has_passed(position_of(source->shuffle), draw))
        push(&task->arena, facts,
             expr_implies(task, there,
                          context_expr(&source->context,
                                       is_within(cells, total, draw))));
    }
  }
}
