// Who else writes what atomics work on.
//
// What atomics return is known only as far as it is known what all that write
// the cell do.  A plain write that comes before all of them at most says where
// they begin.  One that other threads may make between two of them sets the
// cell anew: if nothing orders the two it is a race, but there are writes that
// are none, and what the proof leaves out.

#include "translator/pair.h"

#include <math.h>

bool atomic_writes(const Stmt *stmt, const Array *array) {
  return stmt->kind == STMT_ACCESS && stmt->access.array == array &&
         stmt->access.kind == ACCESS_ATOMIC && !stmt->access.is_load;
}

bool atomic_keeps(const Access *access) {
  switch (access->op) {
  case ATOMIC_ADD:
  case ATOMIC_OR:
    return expr_is_const(access->operand) && access->operand->value == 0;
  case ATOMIC_COMPARE:
    return access->operand == access->expected;
  case ATOMIC_ANY:
  case ATOMIC_INCREMENT:
  case ATOMIC_EXCHANGE:
    break;
  }
  return false;
}

// Is it one array to both threads?
bool meeting_shares(const Meeting *meeting, const Array *array) {
  switch (array->space) {
  case SPACE_GLOBAL:
  case SPACE_CONSTANT:
    break;
  case SPACE_SHARED:
    return meeting->same_block;
  case SPACE_PRIVATE:
    return false;
  }
  return true;
}

static double blocks_along(const Kernel *kernel, unsigned axis) {
  const Expr *size = kernel->grid_size[axis];
  if (expr_is_const(kernel->block_id[axis]))
    return 1;
  return expr_is_const(size) ? (double)size->value : INFINITY;
}

double kernel_most_blocks(const Kernel *kernel) {
  double blocks = 1;
  for (unsigned axis = 0; axis < 3; axis++)
    blocks *= blocks_along(kernel, axis);
  return blocks;
}

static bool is_set_again(Task *task, const Kernel *kernel, const Stmt *write) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (atomic_writes(stmt, write->access.array) &&
        can_follow(task, kernel, stmt, write))
      return true;
  }
  return false;
}

// A write that is volatile comes at any time between two barriers, and is no
// race with the additions there.
static bool is_set_meanwhile(Task *task, const Kernel *kernel,
                             const Stmt *write) {
  Space space = write->access.array->space;
  Reach reach = space == SPACE_SHARED ? REACH_BLOCK : REACH_GRID;
  if (!write->access.is_volatile)
    return false;
  const AccessPlaces *places = interval_places(task, kernel, reach, space);
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (atomic_writes(kernel->stmts.at[i], write->access.array) &&
        places_share_interval(&places[write->number],
                              &places[kernel->stmts.at[i]->number]))
      return true;
  return false;
}

// Another block may do what the proof leaves out: set the counter, or add to
// it with an atomic that is none for this block.
static bool may_others_disturb(const Kernel *kernel, const Access *access) {
  return kernel->options->only_intra_group && kernel_most_blocks(kernel) > 1 &&
         access->array->space != SPACE_SHARED &&
         (access->kind == ACCESS_WRITE || access->scope < SCOPE_GRID);
}

bool atomics_are_disturbed(Task *task, const Kernel *kernel, const Stmt *stmt) {
  if (may_others_disturb(kernel, &stmt->access))
    return true;
  return stmt->access.kind == ACCESS_WRITE &&
         (is_set_again(task, kernel, stmt) ||
          is_set_meanwhile(task, kernel, stmt));
}
