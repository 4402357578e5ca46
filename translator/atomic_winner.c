// Who comes first at a cell.
//
// Threads claim a cell with an atomic that changes it for good: whoever finds
// it as it was has won.
//
//   if (atomicCAS(&owner[i], -1, me) == -1)  ... i is mine
//   if (atomicExch(&taken[i], 1) == 0)       ... i is mine
//   if (!(atomicOr(&seen[w], bit) & bit))    ... bit is mine
//
// A value is gone for good where no atomic at the array makes it of another one
// and plain writes come before all of them.  Of two atomics each of which would
// replace it, only one can find it.  Where all atomics at an array are "or", no
// bit is lost: of any two, one finds all that the other one left behind.

#include "translator/pair.h"

struct Winners {
  Task *task;
  const Kernel *kernel;
  bool *is_claimed; // by Array.number: nothing but atomics of one width
};

// No "or" makes 0 of what is not 0.
static bool makes_never(Task *task, const Access *access, Expr *value) {
  switch (access->op) {
  case ATOMIC_ANY:
  case ATOMIC_ADD:
  case ATOMIC_INCREMENT:
    return false;
  case ATOMIC_OR:
    return expr_is_const(value) && value->value == 0;
  case ATOMIC_EXCHANGE:
  case ATOMIC_COMPARE:
    break;
  }
  return access->operand == access->expected ||
         atomic_is_promised(access,
                            atomic_differs(task, access->operand, value));
}

// Does it make something else of `value`, if it never makes `value`?
static bool replaces(Task *task, const Access *access, Expr *value) {
  Expr *differs = atomic_differs(task, access->operand, value);
  switch (access->op) {
  case ATOMIC_ANY:
  case ATOMIC_ADD:
  case ATOMIC_INCREMENT:
    return false;
  case ATOMIC_OR:
  case ATOMIC_EXCHANGE:
    break;
  case ATOMIC_COMPARE:
    return access->expected == value && atomic_is_promised(access, differs);
  }
  return atomic_is_promised(access, differs);
}

static bool is_gone_for_good(const Winners *winners, const Array *array,
                             Expr *value) {
  const Kernel *kernel = winners->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (atomic_writes(kernel->stmts.at[i], array) &&
        !makes_never(winners->task, &kernel->stmts.at[i]->access, value))
      return false;
  return true;
}

static bool keeps_bits(const Kernel *kernel, const Array *array) {
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (atomic_writes(kernel->stmts.at[i], array) &&
        kernel->stmts.at[i]->access.op != ATOMIC_OR)
      return false;
  return true;
}

static bool is_claimed(Task *task, const Kernel *kernel, const Array *array) {
  const Expr *length = NULL;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind != STMT_ACCESS || stmt->access.array != array ||
        !access_writes(&stmt->access))
      continue;
    if (atomics_are_disturbed(task, kernel, stmt))
      return false;
    if (stmt->access.kind == ACCESS_WRITE)
      continue;
    if (stmt->access.op == ATOMIC_ANY ||
        (length && stmt->access.length != length))
      return false;
    length = stmt->access.length;
  }
  return length;
}

Winners *winners_new(Task *task, const Kernel *kernel) {
  Winners *winners = NEW(&task->arena, Winners);
  *winners = (Winners){.task = task, .kernel = kernel};
  winners->is_claimed = arena_alloc(&task->arena, kernel->arrays.count + 1);
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    const Array *array = kernel->arrays.at[i];
    winners->is_claimed[array->number] = is_claimed(task, kernel, array);
  }
  return winners;
}

// ----------------------------------------------------------------- facts ---

// Two atomics of the two threads, and what they found.
typedef struct Claims {
  Winners *winners;
  Meeting *meeting;
  const Stmt *stmt[2];
  Expr *found[2];
} Claims;

static Expr *is_one_winner(const Claims *claims, Expr *value) {
  Task *task = claims->winners->task;
  return expr_not(task, expr_and(task, expr_eq(task, claims->found[0], value),
                                 expr_eq(task, claims->found[1], value)));
}

// The other one finds what this one leaves.
static Expr *is_seen(const Claims *claims, unsigned thread) {
  Task *task = claims->winners->task;
  Expr *bits = context_expr(&claims->meeting->context[thread],
                            claims->stmt[thread]->access.operand);
  Expr *left = expr_binary(task, EXPR_OR, claims->found[thread], bits);
  Expr *other = claims->found[1 - thread];
  return expr_eq(task, expr_binary(task, EXPR_OR, other, left), other);
}

static Expr *what_is_known(const Claims *claims) {
  Winners *winners = claims->winners;
  Task *task = winners->task;
  const Array *array = claims->stmt[0]->access.array;
  Exprs values = atomic_values(task, winners->kernel, array);
  Expr *known = expr_bool(task, true);
  for (size_t i = 0; i < values.count; i++)
    if (replaces(task, &claims->stmt[0]->access, values.at[i]) &&
        replaces(task, &claims->stmt[1]->access, values.at[i]) &&
        is_gone_for_good(winners, array, values.at[i]))
      known = expr_and(task, known, is_one_winner(claims, values.at[i]));
  if (keeps_bits(winners->kernel, array))
    known = expr_and(task, known,
                     expr_or(task, is_seen(claims, 0), is_seen(claims, 1)));
  return known;
}

static void add_fact(Winners *winners, Meeting *meeting, const Stmt *a,
                     const Stmt *b, Exprs *facts) {
  Task *task = winners->task;
  Context *one = &meeting->context[0], *two = &meeting->context[1];
  Claims claims = {winners,
                   meeting,
                   {a, b},
                   {context_expr(one, a->access.result->expr),
                    context_expr(two, b->access.result->expr)}};
  Expr *both =
      expr_and(task, context_expr(one, a->guard), context_expr(two, b->guard));
  Expr *one_cell = expr_eq(task, context_expr(one, a->access.offset),
                           context_expr(two, b->access.offset));
  push(&task->arena, facts,
       expr_implies(task, expr_and(task, both, one_cell),
                    what_is_known(&claims)));
}

static bool is_claim(const Winners *winners, const Stmt *stmt) {
  return stmt->kind == STMT_ACCESS && stmt->access.kind == ACCESS_ATOMIC &&
         stmt->access.op != ATOMIC_ANY && stmt->access.op != ATOMIC_ADD &&
         winners->is_claimed[stmt->access.array->number] &&
         stmt->access.result->is_relevant;
}

void winners_add_facts(Winners *winners, Meeting *meeting, Exprs *facts) {
  const Kernel *kernel = winners->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *a = kernel->stmts.at[i];
    if (!is_claim(winners, a) || !meeting_shares(meeting, a->access.array))
      continue;
    for (size_t k = 0; k < kernel->stmts.count; k++) {
      const Stmt *b = kernel->stmts.at[k];
      if (is_claim(winners, b) && b->access.array == a->access.array)
        add_fact(winners, meeting, a, b, facts);
    }
  }
}
