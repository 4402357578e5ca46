// What has to be proved of the operands of atomics, so that more is known of
// their results.
//
// What an atomic returns depends on what the others at the array do, in all
// threads.  So it helps to know of each operand, whoever has it, that an amount
// is not negative: then the array may be a counter (atomic_counter.c).  Such a
// condition is about one thread.  smt/promises.c tries to prove it, and what it
// has proved is a promise of the access.

#include "translator/translator.h"

// Some atomic returns from the array what an obligation can depend on.
static bool has_relevant_result(const Kernel *kernel, const Array *array) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.array == array &&
        stmt->access.kind == ACCESS_ATOMIC && stmt->access.result &&
        stmt->access.result->is_relevant)
      return true;
  }
  return false;
}

bool atomic_is_promised(const Access *access, const Expr *condition) {
  if (expr_is_true(condition))
    return true;
  for (size_t i = 0; i < access->promises.count; i++)
    if (access->promises.at[i] == condition)
      return true;
  return false;
}

Exprs atomic_promises_wanted(Task *task, const Kernel *kernel,
                             const Stmt *stmt) {
  const Access *access = &stmt->access;
  Exprs wanted = {0};
  if (stmt->kind != STMT_ACCESS || !has_relevant_result(kernel, access->array))
    return wanted;
  switch (access->op) {
  case ATOMIC_ADD:
    push(&task->arena, &wanted, premise_is_natural(task, access->operand));
    break;
  case ATOMIC_ANY:
    break;
  }
  return wanted;
}
