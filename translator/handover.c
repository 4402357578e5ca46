// Accesses that are ordered without a barrier.
//
// Locks (locks.c), counters that say who comes last (tickets.c) and flags
// (flags.c) keep two threads apart where plain accesses would race.  What is
// known of atomics rests on races with them, so accesses to their arrays are
// never excused, but that of who sets a counter back.

#include "translator/handover.h"

struct Handover {
  Task *task;
  Locks *locks;
  Tickets *tickets;
  Flags *flags;
};

Exprs handover_promises_wanted(Task *task, const Kernel *kernel,
                               const Stmt *stmt) {
  Exprs wanted = {0};
  if (!kernel->options->follows_order)
    return wanted;
  Expr *leader = leader_promise_wanted(task, kernel, stmt);
  if (leader)
    push(&task->arena, &wanted, leader);
  Exprs locks = locks_promises_wanted(task, kernel, stmt);
  Exprs tickets = tickets_promises_wanted(task, kernel, stmt);
  exprs_add(task, &locks, &wanted);
  exprs_add(task, &tickets, &wanted);
  return wanted;
}

// NULL: orders are not followed.
Handover *handover_new(Task *task, Kernel *kernel) {
  if (!kernel->leaders)
    return NULL;
  Handover *handover = NEW(&task->arena, Handover);
  *handover = (Handover){.task = task,
                         .locks = locks_new(task, kernel),
                         .tickets = tickets_new(task, kernel),
                         .flags = flags_new(task, kernel)};
  return handover;
}

static bool is_plain(const Stmt *stmt) {
  return stmt->kind == STMT_ACCESS && stmt->access.kind != ACCESS_ATOMIC &&
         !stmt->access.event;
}

Expr *handover_leaves_open(Handover *handover, Meeting *meeting, const Stmt *a,
                           const Stmt *b) {
  Task *task = handover->task;
  Tickets *tickets = handover->tickets;
  bool is_data = is_plain(a) && is_plain(b);
  bool is_reset =
      tickets_is_reset_of(tickets, a, b) || tickets_is_reset_of(tickets, b, a);
  Expr *apart = expr_bool(task, false);
  Expr *known = tickets_facts(tickets, meeting);
  if (is_data || is_reset)
    apart = tickets_keep_apart(tickets, meeting, a, b, &known);
  if (is_data)
    apart = expr_or(
        task, apart,
        expr_or(task, locks_keep_apart(handover->locks, meeting, a, b, &known),
                flags_keep_apart(handover->flags, meeting, a, b, &known)));
  return expr_and(task, known, expr_not(task, apart));
}
