// Numbers that the first threads of blocks draw for all of their block.
//
//   if (threadIdx.x == 0)
//     base = atomicAdd(next, count);
//   __syncthreads();
//   out[base + mine] = ..
//
// Two threads that use what was told them (cells.c) are not those who drew.  Of
// the first threads of their blocks, or of one first thread in two iterations,
// it holds what holds of any two that draw from a counter (atomic_counter.c):
// they do not get the same numbers.

#include "translator/cells.h"

typedef struct Draw {
  Expr *guard, *cell, *number, *amount; // in the first thread
} Draw;

static Expr *of_first(const Cells *cells, Context *context, const Stmt *stmt,
                      Expr *a) {
  Expr *first = first_thread_expr(cells, a, stmt->block->loop);
  return first ? context_expr(context, first) : NULL;
}

static bool find_draw(const Cells *cells, Context *context, const Stmt *stmt,
                      bool is_down, Draw *draw) {
  Task *task = cells->follower.task;
  const Access *access = &stmt->access;
  *draw = (Draw){
      .guard = of_first(cells, context, stmt, stmt->guard),
      .cell = of_first(cells, context, stmt, access->offset),
      .number = of_first(cells, context, stmt, access->result->expr),
      .amount = of_first(cells, context, stmt,
                         addition_amount(task, access, is_down)),
  };
  return draw->guard && draw->cell && draw->number && draw->amount;
}

static Expr *are_two(const Meeting *meeting, const Stmt *a, const Stmt *b) {
  Task *task = meeting->task;
  return a == b && meeting->same_block
             ? expr_not(task, meeting_is_in_one(meeting, a->block->loop))
             : expr_bool(task, true);
}

static bool is_told(const Cells *cells, const Stmt *stmt) {
  for (size_t i = 0; i < cells->told.count; i++)
    if (cells->told.at[i] == stmt->access.result)
      return true;
  return false;
}

Expr *first_draws_apart(const Cells *cells, Meeting *meeting, const Stmt *a,
                        const Stmt *b, bool is_down) {
  Task *task = meeting->task;
  Draw one, two;
  if (!cells || !is_told(cells, a) || !is_told(cells, b) ||
      !find_draw(cells, &meeting->context[0], a, is_down, &one) ||
      !find_draw(cells, &meeting->context[1], b, is_down, &two))
    return NULL;
  Expr *both = expr_and(task, are_two(meeting, a, b),
                        expr_and(task, one.guard, two.guard));
  both = expr_and(task, both, expr_eq(task, one.cell, two.cell));
  return expr_implies(task, both,
                      counter_parts(task, one.number, one.amount, two.number,
                                    two.amount, is_down));
}
