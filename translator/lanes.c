// What the lanes of a warp do together: shuffles, votes, matches, reductions.
//
// The mask names the lanes that take part.  All of them have to come to this
// statement, with the same mask and the caller's own lane in it; PTX defines
// nothing else ("shfl.sync", "vote.sync", "match.sync", "redux.sync").  So of
// two threads of a warp, one at the statement and the other named by its mask,
// the other one comes, in the same iteration of the loops around.
//
// A lane that has left the kernel is missing like any other: nobody waits for
// it, but what the exchange reads from it is undefined.
//
// Some operations return a mask: a ballot returns the lanes for which its
// condition is true, a match those with the same value, __activemask those that
// are there.  A lane in such a mask was there too and was told the same mask;
// later masks rest upon that.  All other results are anything.
//
// Which work-items form a sub-group of OpenCL is not known, so all of a group
// have to come.

#include "translator/pair.h"

enum { LANE_BITS = 5 };

static Expr *lane_of(Context *context, unsigned width) {
  Task *task = context->meeting->task;
  Expr *lane = expr_extract(task, context_linear(context), 0, LANE_BITS);
  return expr_zext(task, lane, width);
}

static Expr *names(Expr *mask, Context *context) {
  Task *task = context->meeting->task;
  if (expr_is_const(mask) && mask->value == UINT32_MAX)
    return expr_bool(task, true);
  Expr *at = lane_of(context, mask->width);
  return expr_extract(task, expr_binary(task, EXPR_LSHR, mask, at), 0, 1);
}

Expr *lanes_same_warp(Meeting *meeting) {
  return expr_eq(meeting->task, context_warp(&meeting->context[0]),
                 context_warp(&meeting->context[1]));
}

// One comes, and the other one, whom it waits for, does not.
Expr *lanes_part(Meeting *meeting, const Stmt *stmt) {
  Task *task = meeting->task;
  Context *one = &meeting->context[0], *two = &meeting->context[1];
  const Barrier *barrier = &stmt->barrier;
  Expr *here = context_expr(one, stmt->guard);
  Expr *there = context_expr(two, stmt->guard);
  if (barrier->kind == BARRIER_LANES) {
    Expr *mask = context_expr(one, barrier->mask);
    Expr *other = context_expr(two, barrier->mask);
    here = expr_and(task, here, lanes_same_warp(meeting));
    here = expr_and(task, here, names(mask, two));
    there = expr_and(task, there, expr_eq(task, mask, other));
  }
  return expr_and(task, here, expr_not(task, there));
}

// The mask is without the thread's own lane.
Expr *lanes_without_own(Meeting *meeting, const Stmt *stmt) {
  Task *task = meeting->task;
  Context *one = &meeting->context[0];
  Expr *mask = context_expr(one, stmt->barrier.mask);
  return expr_and(task, context_expr(one, stmt->guard),
                  expr_not(task, names(mask, one)));
}

static bool is_within(Task *task, const Loop *loop, Expr *a) {
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->loop && loop_is_inside(symbols.at[i]->loop, loop))
      return true;
  return false;
}

// Who has to go round the loop together: those whom the mask names, if it is
// the same in each iteration, else the warp.
Expr *lanes_go_together(Meeting *meeting, const Stmt *stmt, const Loop *loop) {
  Task *task = meeting->task;
  const Barrier *barrier = &stmt->barrier;
  if (barrier->kind != BARRIER_LANES)
    return expr_bool(task, true);
  Expr *together = lanes_same_warp(meeting);
  if (is_within(task, loop, barrier->mask))
    return together;
  Expr *mask = context_expr(&meeting->context[0], barrier->mask);
  for (unsigned i = 0; i < 2; i++)
    together = expr_and(task, together, names(mask, &meeting->context[i]));
  return together;
}

// Does the mask depend on what is known of the threads alone?
bool lanes_are_known(Task *task, const Stmt *stmt) {
  Symbols symbols = {0};
  if (stmt->barrier.kind != BARRIER_LANES)
    return stmt->barrier.kind != BARRIER_SUB_GROUP;
  expr_symbols(task, stmt->barrier.mask, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->kind == SYMBOL_LOAD ||
        symbols.at[i]->kind == SYMBOL_ATOMIC ||
        symbols.at[i]->kind == SYMBOL_UNKNOWN)
      return false;
  return true;
}

// ----------------------------------------------------------------- facts ---

// `one` was told a mask, which says whether it was chosen.  `two`, if it is in
// there, was told the same.
static Expr *told_by(Meeting *meeting, const Stmt *stmt, Context *one,
                     Context *two) {
  Task *task = meeting->task;
  const Barrier *barrier = &stmt->barrier;
  Expr *told = context_expr(one, barrier->told->expr);
  Expr *same = expr_eq(task, told, context_expr(two, barrier->told->expr));
  Expr *came = expr_and(task, same, context_expr(two, stmt->guard));
  Expr *is_meant = expr_and(task, lanes_same_warp(meeting), names(told, two));
  Expr *fact = expr_implies(task, is_meant, came);
  if (barrier->chosen)
    fact = expr_and(
        task, fact,
        expr_eq(task, names(told, one), context_expr(one, barrier->chosen)));
  return expr_implies(task, context_expr(one, stmt->guard), fact);
}

// Both threads are, or have been, in the same iterations of the loops around:
// so __activemask in a loop tells nothing, for there are no others to say it.
void lanes_facts(Meeting *meeting, Exprs *facts) {
  Task *task = meeting->task;
  const Kernel *kernel = meeting->kernel;
  Context *one = &meeting->context[0], *two = &meeting->context[1];
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    bool is_told = stmt->kind == STMT_BARRIER && stmt->barrier.told &&
                   (stmt->barrier.mask || !stmt->block->loop);
    if (!is_told || !meeting_in_one_iteration(meeting, stmt->block->loop))
      continue;
    push(&task->arena, facts, told_by(meeting, stmt, one, two));
    push(&task->arena, facts, told_by(meeting, stmt, two, one));
  }
}
