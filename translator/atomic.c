// What has to be proved of the operands of atomics, so that more is known of
// their results.
//
// What an atomic returns depends on what the others at the array do, in all
// threads.  So it helps to know of each operand, whoever has it, that an amount
// is not negative: then the array may be a counter (atomic_counter.c).  Or that
// it is not the value that marks a cell as free: then only one thread finds it
// free (atomic_winner.c).  Such a condition is about one thread. smt/promises.c
// tries to prove it, and what it has proved is a promise of the access.

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

Expr *atomic_differs(Task *task, Expr *operand, Expr *value) {
  return operand->width == value->width
             ? expr_not(task, expr_eq(task, operand, value))
             : expr_bool(task, false);
}

static void add_value(Task *task, Exprs *values, Expr *value) {
  for (size_t i = 0; i < values->count; i++)
    if (values->at[i] == value)
      return;
  push(&task->arena, values, value);
}

static void add_values(Task *task, const Access *access, Exprs *values) {
  switch (access->op) {
  case ATOMIC_ANY:
  case ATOMIC_ADD:
  case ATOMIC_INCREMENT:
    break;
  case ATOMIC_EXCHANGE:
    add_value(task, values, expr_const(task, access->operand->width, 0));
    add_value(task, values,
              expr_const(task, access->operand->width, UINT64_MAX));
    break;
  case ATOMIC_OR:
    add_value(task, values, expr_const(task, access->operand->width, 0));
    break;
  case ATOMIC_COMPARE:
    if (expr_is_const(access->expected))
      add_value(task, values, access->expected);
    break;
  }
}

Exprs atomic_values(Task *task, const Kernel *kernel, const Array *array) {
  Exprs values = {0};
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.array == array)
      add_values(task, &stmt->access, &values);
  }
  return values;
}

Exprs atomic_promises_wanted(Task *task, const Kernel *kernel,
                             const Stmt *stmt) {
  const Access *access = &stmt->access;
  Exprs wanted = {0}, values = {0};
  if (stmt->kind != STMT_ACCESS || !has_relevant_result(kernel, access->array))
    return wanted;
  switch (access->op) {
  case ATOMIC_ANY:
  case ATOMIC_INCREMENT:
    break;
  case ATOMIC_ADD:
    push(&task->arena, &wanted, premise_is_natural(task, access->operand));
    break;
  case ATOMIC_OR:
  case ATOMIC_EXCHANGE:
  case ATOMIC_COMPARE:
    values = atomic_values(task, kernel, access->array);
    break;
  }
  for (size_t i = 0; i < values.count; i++)
    push(&task->arena, &wanted,
         atomic_differs(task, access->operand, values.at[i]));
  return wanted;
}
