// What is true of the operands of atomics, in whatever thread.
//
// translator/atomic.c says what would help.  Each condition is asked of one
// thread at the atomic; what is proved becomes a promise of the access.  What
// is not decided soon is none.

#include "smt/smt.h"

enum { EFFORT = 500 };

static bool is_kept(Task *task, Kernel *kernel, Stmt *stmt, Expr *condition) {
  if (expr_is_false(condition))
    return false;
  Obligation *obligation = pair_promise(task, kernel, stmt, condition);
  if (!obligation)
    return true;
  Solver *solver = solver_open(task, kernel->options->memory);
  Question question = obligation_question(task, obligation);
  return smt_sift(task, solver, &question, EFFORT);
}

void smt_find_promises(Task *task, Kernel *kernel) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    Stmt *stmt = kernel->stmts.at[i];
    Exprs wanted = atomic_promises_wanted(task, kernel, stmt);
    Exprs of_order = handover_promises_wanted(task, kernel, stmt);
    exprs_add(task, &of_order, &wanted);
    for (size_t k = 0; k < wanted.count; k++)
      if (!atomic_is_promised(&stmt->access, wanted.at[k]) &&
          is_kept(task, kernel, stmt, wanted.at[k]))
        push(&task->arena, &stmt->access.promises, wanted.at[k]);
  }
}
