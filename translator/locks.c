// Locks: one thread at most is between taking one and giving it back.
//
//   while (atomicCAS(&lock, 0, 1) != 0)
//     ;
//   __threadfence();
//   ...
//   __threadfence();
//   atomicExch(&lock, 0);
//
// An array is one of locks if its cells change in two ways alone: an atomic
// takes a free cell, and learns from what it returns that it was free; and an
// atomic makes a cell free again, of which it is proved that its own thread has
// taken it and not given it back yet (smt/promises.c).  Then between the two no
// other thread takes the cell, whatever it held at first.  Fences behind the
// one and before the other see to it that what is done in between by one thread
// has happened for the next.
//
// In a block the first thread may take a lock for all: what is behind the
// barrier after that, and before the barrier that comes before the lock is
// given back, is done by one block at a time.

#include "translator/handover.h"

typedef struct Lock {
  const Array *array;
  Expr *free; // what a cell holds that nobody has
  Stmts takes, gives;
} Lock;

typedef Vec(Lock) LockList;

struct Locks {
  Task *task;
  Kernel *kernel;
  LockList all;
};

// ----------------------------------------------------------------- roles ---

typedef enum Role { ROLE_NONE, ROLE_TAKE, ROLE_GIVE, ROLE_OTHER } Role;

static Scope scope_of(const Array *array) {
  return array->space == SPACE_SHARED ? SCOPE_BLOCK : SCOPE_GRID;
}

// What the atomic leaves there if it changes the cell, or NULL.
static Expr *left_by(const Access *access) {
  switch (access->op) {
  case ATOMIC_EXCHANGE:
  case ATOMIC_COMPARE:
    return access->operand;
  case ATOMIC_ANY: // a store
    return access->result ? NULL : access->value;
  case ATOMIC_ADD:
  case ATOMIC_INCREMENT:
  case ATOMIC_OR:
    break;
  }
  return NULL;
}

static bool is_simple(const Stmt *stmt, const Expr *free) {
  const Access *access = &stmt->access;
  return stmt->guard == stmt->block->guard && !access->is_any &&
         access->scope >= scope_of(access->array) &&
         expr_is_const(access->length) &&
         8 * access->length->value == free->width;
}

static bool may_take(Task *task, const Access *access, Expr *left, Expr *free) {
  bool is_chosen = access->op == ATOMIC_COMPARE ? access->expected == free
                                                : access->op == ATOMIC_EXCHANGE;
  return is_chosen && access->result && left->width == free->width &&
         atomic_is_promised(access, atomic_differs(task, left, free));
}

// Of a plain write it is enough that all atomics at the array are behind it.
static Role role_of(Task *task, const Kernel *kernel, const Stmt *stmt,
                    const Array *array, Expr *free) {
  const Access *access = &stmt->access;
  if (!handover_is_at(stmt, array) || !access_writes(access))
    return ROLE_NONE;
  Expr *left = left_by(access);
  if (atomics_are_disturbed(task, kernel, stmt))
    return ROLE_OTHER;
  if (access->kind == ACCESS_WRITE)
    return ROLE_NONE;
  if (!left || !is_simple(stmt, free))
    return ROLE_OTHER;
  if (left == free)
    return access->expected == free ? ROLE_OTHER : ROLE_GIVE;
  return may_take(task, access, left, free) ? ROLE_TAKE : ROLE_OTHER;
}

// Takes and gives; false: others change the array.
static bool find_roles(Task *task, const Kernel *kernel, Lock *lock) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    switch (role_of(task, kernel, stmt, lock->array, lock->free)) {
    case ROLE_NONE:
      break;
    case ROLE_TAKE:
      push(&task->arena, &lock->takes, stmt);
      break;
    case ROLE_GIVE:
      push(&task->arena, &lock->gives, stmt);
      break;
    case ROLE_OTHER:
      return false;
    }
  }
  return lock->takes.count;
}

// ----------------------------------------------------------------- holds ---

// It was taken by the last execution of the statement.
static Expr *is_taken(Task *task, const Lock *lock, const Stmt *take) {
  return expr_and(task, take->guard,
                  expr_eq(task, take->access.result->expr, lock->free));
}

// In the iteration that both are in, and without giving it back on the way.
static bool leads_to(Task *task, const Kernel *kernel, const Lock *lock,
                     const Stmt *take, const Stmt *stmt) {
  const Loop *within = ways_common_loop(take, stmt);
  if (!way_exists(task, kernel, take, stmt, within, NULL, NULL))
    return false;
  for (size_t i = 0; i < lock->gives.count; i++) {
    const Stmt *give = lock->gives.at[i];
    if (way_exists(task, kernel, take, give, within, NULL, NULL) &&
        way_exists(task, kernel, give, stmt, within, NULL, NULL))
      return false;
  }
  return true;
}

static bool has_fence_between(Task *task, const Kernel *kernel,
                              const Lock *lock, const Stmt *from,
                              const Stmt *to, const Loop *within) {
  return way_is_fenced(task, kernel, from, to, within, scope_of(lock->array));
}

// Who has taken it sees nothing of what was before that.
static Expr *begins_in_order(Task *task, const Kernel *kernel, const Lock *lock,
                             const Stmt *take, const Stmt *stmt) {
  return take->access.acquires ||
                 has_fence_between(task, kernel, lock, take, stmt,
                                   ways_common_loop(take, stmt))
             ? expr_bool(task, true)
             : leader_loose_fences(kernel->leaders);
}

static bool ends_in_order(Task *task, const Kernel *kernel, const Lock *lock,
                          const Stmt *stmt) {
  for (size_t i = 0; i < lock->gives.count; i++) {
    const Stmt *give = lock->gives.at[i];
    if (!give->access.releases &&
        !has_fence_between(task, kernel, lock, stmt, give, NULL))
      return false;
  }
  return true;
}

// What has to be proved where it is given back.
static Expr *is_holder(Task *task, const Lock *lock, const Stmt *take,
                       const Stmt *give) {
  return expr_and(task, is_taken(task, lock, take),
                  expr_eq(task, take->access.offset, give->access.offset));
}

// Whoever comes next learns of all that was before this one, too.
static bool hands_on(Task *task, const Kernel *kernel, const Lock *lock,
                     const Stmt *take, const Stmt *give) {
  bool is_fenced = has_fence_between(task, kernel, lock, take, give,
                                     ways_common_loop(take, give));
  return is_fenced || (take->access.acquires && give->access.releases);
}

static bool is_given_by_holder(Task *task, const Kernel *kernel,
                               const Lock *lock, const Stmt *give) {
  for (size_t i = 0; i < lock->takes.count; i++) {
    const Stmt *take = lock->takes.at[i];
    if (leads_to(task, kernel, lock, take, give) &&
        hands_on(task, kernel, lock, take, give) &&
        atomic_is_promised(&give->access, is_holder(task, lock, take, give)))
      return true;
  }
  return false;
}

static bool is_kept(Task *task, const Kernel *kernel, const Lock *lock) {
  for (size_t i = 0; i < lock->gives.count; i++)
    if (!is_given_by_holder(task, kernel, lock, lock->gives.at[i]))
      return false;
  return true;
}

// ------------------------------------------------------------- all locks ---

static bool is_common(const Array *array) {
  return array->space == SPACE_SHARED || array->space == SPACE_GLOBAL;
}

static LockList candidates(Task *task, const Kernel *kernel) {
  LockList all = {0};
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    const Array *array = kernel->arrays.at[i];
    Exprs values = {0};
    if (is_common(array))
      values = atomic_values(task, kernel, array);
    for (size_t k = 0; k < values.count; k++) {
      Lock lock = {.array = array, .free = values.at[k]};
      if (find_roles(task, kernel, &lock))
        push(&task->arena, &all, lock);
    }
  }
  return all;
}

Exprs locks_promises_wanted(Task *task, const Kernel *kernel,
                            const Stmt *stmt) {
  Exprs wanted = {0};
  bool may_give = stmt->kind == STMT_ACCESS &&
                  stmt->access.kind == ACCESS_ATOMIC && left_by(&stmt->access);
  LockList locks = {0};
  if (may_give)
    locks = candidates(task, kernel);
  for (size_t i = 0; i < locks.count; i++) {
    const Lock *lock = &locks.at[i];
    bool gives = lock->array == stmt->access.array &&
                 left_by(&stmt->access) == lock->free;
    for (size_t k = 0; gives && k < lock->takes.count; k++)
      push(&task->arena, &wanted,
           is_holder(task, lock, lock->takes.at[k], stmt));
  }
  return wanted;
}

Locks *locks_new(Task *task, Kernel *kernel) {
  Locks *locks = NEW(&task->arena, Locks);
  *locks = (Locks){.task = task, .kernel = kernel};
  LockList all = candidates(task, kernel);
  for (size_t i = 0; i < all.count; i++)
    if (is_kept(task, kernel, &all.at[i]))
      push(&task->arena, &locks->all, all.at[i]);
  return locks;
}

// ------------------------------------------------------------------ apart ---

// That one of two threads, or its block, has taken the lock when it is at an
// access.
typedef struct Hold {
  Expr *is_taken; // false: it has not
  Expr *cell;
} Hold;

typedef Vec(Hold) Holds;

static void add_own(Locks *locks, const Lock *lock, Context *context,
                    const Stmt *take, const Stmt *stmt, Holds *holds) {
  Task *task = locks->task;
  const Kernel *kernel = locks->kernel;
  if (!leads_to(task, kernel, lock, take, stmt) ||
      !ends_in_order(task, kernel, lock, stmt))
    return;
  Expr *taken = expr_and(task, is_taken(task, lock, take),
                         begins_in_order(task, kernel, lock, take, stmt));
  push(&task->arena, holds,
       ((Hold){context_expr(context, taken),
               context_expr(context, take->access.offset)}));
}

static Expr *is_given_later(const Locks *locks, const Lock *lock,
                            const Stmt *stmt) {
  Task *task = locks->task;
  Expr *later = expr_bool(task, true);
  for (size_t i = 0; i < lock->gives.count; i++) {
    const Stmt *give = lock->gives.at[i];
    if (!leader_alone(task, locks->kernel, give))
      return expr_bool(task, false);
    later = expr_and(task, later,
                     leader_publishes(locks->kernel->leaders, stmt, give,
                                      scope_of(lock->array)));
  }
  return later;
}

// Once: nobody goes back from the access to where it is taken.
static Expr *is_held_by_block(const Locks *locks, const Lock *lock,
                              const Stmt *take, const Stmt *stmt) {
  Task *task = locks->task;
  if (!leader_alone(task, locks->kernel, take) ||
      can_follow(task, locks->kernel, stmt, take))
    return expr_bool(task, false);
  return expr_and(task, is_given_later(locks, lock, stmt),
                  leader_acquires(locks->kernel->leaders, take,
                                  take->access.acquires, stmt,
                                  scope_of(lock->array)));
}

static void add_of_block(Locks *locks, const Lock *lock, Context *context,
                         const Stmt *take, const Stmt *stmt, Holds *holds,
                         Expr **known) {
  Task *task = locks->task;
  Leaders *leaders = locks->kernel->leaders;
  Expr *held = is_held_by_block(locks, lock, take, stmt);
  if (expr_is_false(held))
    return;
  *known = expr_and(task, *known,
                    context_expr(context, leader_has_left(leaders, take)));
  Expr *taken = leader_expr(leaders, is_taken(task, lock, take));
  Expr *cell = leader_expr(leaders, take->access.offset);
  push(&task->arena, holds,
       ((Hold){expr_and(task, held, context_expr(context, taken)),
               context_expr(context, cell)}));
}

static Holds holds_of(Locks *locks, const Lock *lock, Context *context,
                      const Stmt *stmt, Expr **known) {
  Holds holds = {0};
  for (size_t i = 0; i < lock->takes.count; i++) {
    add_own(locks, lock, context, lock->takes.at[i], stmt, &holds);
    if (!context->meeting->same_block)
      add_of_block(locks, lock, context, lock->takes.at[i], stmt, &holds,
                   known);
  }
  return holds;
}

static Expr *are_of_one(Task *task, const Hold *one, const Hold *two) {
  return expr_and(task, expr_and(task, one->is_taken, two->is_taken),
                  expr_eq(task, one->cell, two->cell));
}

Expr *locks_keep_apart(Locks *locks, Meeting *meeting, const Stmt *a,
                       const Stmt *b, Expr **known) {
  Task *task = locks->task;
  Expr *apart = expr_bool(task, false);
  for (size_t i = 0; i < locks->all.count; i++) {
    const Lock *lock = &locks->all.at[i];
    if (!meeting_shares(meeting, lock->array))
      continue;
    Holds one = holds_of(locks, lock, &meeting->context[0], a, known);
    Holds two = holds_of(locks, lock, &meeting->context[1], b, known);
    for (size_t k = 0; k < one.count; k++)
      for (size_t l = 0; l < two.count; l++)
        apart = expr_or(task, apart, are_of_one(task, &one.at[k], &two.at[l]));
  }
  return apart;
}
