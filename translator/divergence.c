// Barrier divergence: not all threads pass the same barriers.
//
// Threads in lock step so far disagree about reaching a barrier, or about going
// round a loop with a barrier in it.  There is an obligation for each barrier
// and one for each loop around it, about two threads of a block; at a barrier
// of the grid also about threads of two blocks.  Together they prove, by
// induction over the barriers passed, that all threads pass the same barriers;
// the obligations about races rely on that (pair.c).  Exchanges of a warp, a
// shuffle or a vote, are barriers here; whom their masks name is in lanes.c.

#include "translator/pair.h"

typedef struct Maker {
  Task *task;
  Kernel *kernel;
  Pair *pair;
  Meetings *meetings;
} Maker;

static const char *divergence_sentence(const Stmt *barrier, const Loop *loop) {
  bool is_exchange = barrier->barrier.kind == BARRIER_LANES ||
                     barrier->barrier.kind == BARRIER_SUB_GROUP;
  if (is_exchange)
    return loop ? "warp divergence: threads leave the loop around this "
                  "exchange after different numbers of iterations"
                : "warp divergence: a thread that takes part in this exchange "
                  "may not come to it, or with another mask";
  return loop
             ? "barrier divergence: threads leave the loop around this barrier "
               "after different numbers of iterations"
             : "barrier divergence: this barrier may be reached by some "
               "threads and not by others";
}

static const char *divergence_doubt(Task *task, const Stmt *barrier) {
  if (lanes_are_known(task, barrier))
    return NULL;
  return barrier->barrier.kind == BARRIER_SUB_GROUP
             ? "who is in a sub-group is not known"
             : "which lanes the mask names is not known";
}

static Obligation *add_parting(Maker *maker, Stmt *barrier, Loop *loop,
                               Meeting *meeting, Expr *violation) {
  if (expr_is_false(violation))
    return NULL;
  Obligation *obligation =
      pair_add(maker->task, maker->pair, OBLIGATION_DIVERGENCE, violation);
  obligation->first = barrier;
  obligation->loop = loop;
  obligation->same_block = meeting->same_block;
  obligation->sentence = divergence_sentence(barrier, loop);
  obligation->doubt = divergence_doubt(maker->task, barrier);
  Position position =
      loop ? position_at_latch(maker->kernel, loop) : position_of(barrier);
  Position positions[2] = {position, position};
  pair_fill_facts(obligation, meeting, positions);
  lanes_facts(meeting, position, &obligation->facts);
  return obligation;
}

// One comes to the barrier and the other does not.
static Expr *part_at(Maker *maker, Meeting *meeting, const Stmt *barrier) {
  Task *task = maker->task;
  Expr *one = context_expr(&meeting->context[0], barrier->guard);
  Expr *two = context_expr(&meeting->context[1], barrier->guard);
  switch (barrier->barrier.kind) {
  case BARRIER_LANES:
  case BARRIER_SUB_GROUP:
    return lanes_part(meeting, barrier);
  case BARRIER_BLOCK:
  case BARRIER_WARP:
  case BARRIER_GRID:
  case BARRIER_COPY:
  case BARRIER_EVENT:
    break;
  }
  return expr_and(task, one, expr_not(task, two));
}

// One goes round the loop once more and the other does not.
static Expr *part_in(Maker *maker, Meeting *meeting, const Stmt *barrier,
                     const Loop *loop) {
  Task *task = maker->task;
  Expr *one = context_expr(&meeting->context[0], loop->again);
  Expr *two = context_expr(&meeting->context[1], loop->again);
  Expr *part = expr_and(task, one, expr_not(task, two));
  part = expr_and(task, part, context_expr(&meeting->context[1], loop->entry));
  return expr_and(task, part, lanes_go_together(meeting, barrier, loop));
}

static void add_divergence(Maker *maker, Stmt *barrier, Loop *loop,
                           bool same_block) {
  Task *task = maker->task;
  Position position =
      loop ? position_at_latch(maker->kernel, loop) : position_of(barrier);
  Meeting *meeting = meeting_in_step(maker->meetings, same_block, position);
  Expr *violation = loop ? part_in(maker, meeting, barrier, loop)
                         : part_at(maker, meeting, barrier);
  violation = expr_and(task, violation, meeting_is_of_two(meeting));
  if (barrier->barrier.kind == BARRIER_WARP)
    violation = expr_and(task, violation,
                         expr_eq(task, context_warp(&meeting->context[0]),
                                 context_warp(&meeting->context[1])));
  add_parting(maker, barrier, loop, meeting, violation);
}

// A thread takes part in what it says that others do.
static void add_own_lane(Maker *maker, Stmt *stmt) {
  Meeting *meeting = meeting_in_step(maker->meetings, true, position_of(stmt));
  Expr *is_one = expr_not(maker->task, meeting_is_of_two(meeting));
  Expr *violation =
      expr_and(maker->task, lanes_without_own(meeting, stmt), is_one);
  Obligation *obligation = add_parting(maker, stmt, NULL, meeting, violation);
  if (obligation)
    obligation->sentence =
        "warp divergence: the mask may not name the thread's own lane";
}

static Expr *is_different(Meeting *meeting, const Exprs *values) {
  Task *task = meeting->task;
  Expr *different = expr_bool(task, false);
  for (size_t i = 0; i < values->count; i++)
    different = expr_or(
        task, different,
        expr_not(task,
                 expr_eq(task,
                         context_expr(&meeting->context[0], values->at[i]),
                         context_expr(&meeting->context[1], values->at[i]))));
  return different;
}

// Whoever comes to the barrier passes the same.
static void add_disagreement(Maker *maker, Stmt *barrier) {
  Task *task = maker->task;
  Position position = position_of(barrier);
  Meeting *meeting = meeting_in_step(maker->meetings, true, position);
  Expr *one = context_expr(&meeting->context[0], barrier->guard);
  Expr *two = context_expr(&meeting->context[1], barrier->guard);
  Expr *violation = expr_and(task, expr_and(task, one, two),
                             is_different(meeting, &barrier->barrier.alike));
  violation = expr_and(task, violation, meeting_is_of_two(meeting));
  if (barrier->barrier.kind == BARRIER_LANES)
    violation = expr_and(task, violation, lanes_same_warp(meeting));
  if (expr_is_false(violation))
    return;
  Obligation *obligation =
      pair_add(maker->task, maker->pair, OBLIGATION_DIVERGENCE, violation);
  obligation->first = barrier;
  obligation->same_block = true;
  obligation->sentence =
      "divergent arguments: threads that call this together "
      "may not pass the same";
  Position positions[2] = {position, position};
  pair_fill_facts(obligation, meeting, positions);
}

static void add_loop_divergence(Maker *maker, Stmt *barrier, bool same_block) {
  for (Loop *loop = barrier->block->loop; loop; loop = loop->parent)
    add_divergence(maker, barrier, loop, same_block);
}

// __activemask, which only tells who is there.
static bool waits_for_nobody(const Stmt *stmt) {
  return stmt->barrier.kind == BARRIER_LANES && !stmt->barrier.mask;
}

void divergence_add_all(Pair *pair, Meetings *meetings) {
  Kernel *kernel = pair->kernel;
  Maker maker = {meetings->task, kernel, pair, meetings};
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind != STMT_BARRIER || waits_for_nobody(stmt))
      continue;
    if (lanes_gathered_by(kernel, stmt)) {
      add_disagreement(&maker, stmt);
      continue;
    }
    if (stmt->barrier.kind == BARRIER_LANES)
      add_own_lane(&maker, stmt);
    add_divergence(&maker, stmt, NULL, true);
    add_loop_divergence(&maker, stmt, true);
    add_disagreement(&maker, stmt);
    if (stmt->barrier.kind == BARRIER_GRID) {
      add_divergence(&maker, stmt, NULL, false);
      add_loop_divergence(&maker, stmt, false);
    }
  }
}
