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
// later masks rest upon that.  A vote and a reduction return the same to all
// whom their mask names, and so does a ballot.  All other results are anything.
//
// Which work-items form a sub-group of OpenCL is not known, so all of a group
// have to come.

#include "translator/pair.h"

enum { LAST_LANE = 31 };

// As lane_of_thread has it, so that the two are one formula.
Expr *lanes_number(Context *context) {
  Task *task = context->meeting->task;
  Expr *linear = context_linear(context);
  return expr_binary(task, EXPR_AND, linear,
                     expr_const(task, linear->width, LAST_LANE));
}

Expr *lanes_name(Task *task, Expr *mask, Expr *lane) {
  if (expr_is_const(mask) && mask->value == UINT32_MAX)
    return expr_bool(task, true);
  return expr_extract(task, expr_binary(task, EXPR_LSHR, mask, lane), 0, 1);
}

static Expr *names(Expr *mask, Context *context) {
  return lanes_name(context->meeting->task, mask, lanes_number(context));
}

// Of one block: in each of them warps are counted from 0.
static Expr *in_one_warp(Context *one, Context *two) {
  return expr_eq(one->meeting->task, context_warp(one), context_warp(two));
}

Expr *lanes_same_warp(Meeting *meeting) {
  return in_one_warp(&meeting->context[0], &meeting->context[1]);
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

// __activemask in a loop tells nothing, for there are no others to say in which
// iteration they are.
bool lanes_are_told(const Stmt *stmt) {
  return stmt->kind == STMT_BARRIER && stmt->barrier.told &&
         (stmt->barrier.mask || !stmt->block->loop);
}

static bool is_told_something(const Stmt *stmt) {
  const Barrier *barrier = &stmt->barrier;
  return lanes_are_told(stmt) ||
         (stmt->kind == STMT_BARRIER && barrier->agreed);
}

// Does it tell who was there, in the very execution of the statement?
static bool tells_who_is_there(const Stmt *stmt) {
  const Barrier *barrier = &stmt->barrier;
  return stmt->kind == STMT_BARRIER && barrier->told && !barrier->agreed;
}

static bool is_in_loop(const Stmt *a, const Stmt *b) {
  return a->block->loop || b->block->loop;
}

// Those whom the mask names were at a statement before together, and from there
// each comes here, with the same mask.  In a loop they may have been there in
// different iterations.  NULL: that is not known.
const Stmt *lanes_gathered_by(const Kernel *kernel, const Stmt *stmt) {
  const Expr *mask = stmt->barrier.mask;
  if (stmt->kind != STMT_BARRIER || stmt->barrier.kind != BARRIER_LANES ||
      !mask)
    return NULL;
  for (size_t i = 0; i < stmt->number; i++) {
    const Stmt *before = kernel->stmts.at[i];
    if (tells_who_is_there(before) && before->barrier.told->expr == mask &&
        before->guard == stmt->guard && !is_in_loop(before, stmt))
      return before;
  }
  return NULL;
}

// What the thread was told says whether it was chosen.
static Expr *told_of_itself(Context *context, const Stmt *stmt) {
  Task *task = context->meeting->task;
  const Barrier *barrier = &stmt->barrier;
  if (!barrier->told || !barrier->chosen)
    return expr_bool(task, true);
  Expr *told = context_expr(context, barrier->told->expr);
  return expr_eq(task, names(told, context),
                 context_expr(context, barrier->chosen));
}

// `two` came there, and was told the same as `one`.
static Expr *came_too(const Stmt *stmt, const Symbol *told, Context *one,
                      Context *two) {
  Task *task = one->meeting->task;
  Expr *same = expr_eq(task, context_expr(one, told->expr),
                       context_expr(two, told->expr));
  return expr_and(task, same, context_guard(two, stmt));
}

// `one` was told a mask.  `two`, if it is in there, was told the same.
static Expr *told_by(const Stmt *stmt, Context *one, Context *two) {
  Task *task = one->meeting->task;
  const Symbol *mask = stmt->barrier.told;
  if (!lanes_are_told(stmt))
    return expr_bool(task, true);
  Expr *told = context_expr(one, mask->expr);
  Expr *is_meant = expr_and(task, in_one_warp(one, two), names(told, two));
  Expr *fact = expr_implies(task, is_meant, came_too(stmt, mask, one, two));
  fact = expr_and(task, fact, told_of_itself(one, stmt));
  return expr_implies(task, context_guard(one, stmt), fact);
}

// A vote tells the same to all whom its mask names.
static Expr *agreed_by(const Stmt *stmt, Context *one, Context *two) {
  Task *task = one->meeting->task;
  const Symbol *agreed = stmt->barrier.agreed;
  if (!agreed)
    return expr_bool(task, true);
  Expr *is_named = names(context_expr(one, stmt->barrier.mask), two);
  is_named = expr_and(task, is_named, in_one_warp(one, two));
  is_named = expr_and(task, is_named, context_guard(one, stmt));
  return expr_implies(task, is_named, came_too(stmt, agreed, one, two));
}

Expr *lanes_tell_both(Context *one, Context *two, const Stmt *stmt) {
  Task *task = one->meeting->task;
  Expr *told = expr_and(task, told_by(stmt, one, two), told_by(stmt, two, one));
  Expr *agreed =
      expr_and(task, agreed_by(stmt, one, two), agreed_by(stmt, two, one));
  return expr_and(task, told, agreed);
}

// Both threads are, or have been, in the same iterations of the loops around.
// Of two blocks no warp is told what one of the other is.
void lanes_facts(Meeting *meeting, Position position, Exprs *facts) {
  Task *task = meeting->task;
  const Kernel *kernel = meeting->kernel;
  Context *one = &meeting->context[0], *two = &meeting->context[1];
  for (size_t i = 0; meeting->same_block && i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (!is_told_something(stmt) ||
        !meeting_in_one_iteration(meeting, stmt->block->loop))
      continue;
    push(&task->arena, facts, told_by(stmt, one, two));
    push(&task->arena, facts, told_by(stmt, two, one));
    if (!position_has_passed(position, stmt))
      continue;
    push(&task->arena, facts, agreed_by(stmt, one, two));
    push(&task->arena, facts, agreed_by(stmt, two, one));
  }
}

// That all come whom a mask names is proved where they meet.
void lanes_facts_behind(Meeting *meeting, const Position *positions,
                        Exprs *facts) {
  Task *task = meeting->task;
  const Kernel *kernel = meeting->kernel;
  Context *one = &meeting->context[0], *two = &meeting->context[1];
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    bool passed[2] = {position_has_passed(positions[0], stmt),
                      position_has_passed(positions[1], stmt)};
    if (stmt->kind != STMT_BARRIER)
      continue;
    for (unsigned k = 0; k < 2; k++)
      if (passed[k])
        push(&task->arena, facts,
             expr_implies(task, context_expr(&meeting->context[k], stmt->guard),
                          told_of_itself(&meeting->context[k], stmt)));
    if (meeting->same_block && passed[0] && passed[1] &&
        is_told_something(stmt))
      push(&task->arena, facts,
           expr_implies(task, meeting_is_in_one(meeting, stmt->block->loop),
                        lanes_tell_both(one, two, stmt)));
  }
}
