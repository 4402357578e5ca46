// Flags: who has seen one knows what was done before it was raised.
//
//   data[i] = ..;                        while (*flag == 0)
//   __threadfence();                       ;
//   *flag = 1;                           __threadfence();
//                                        .. = data[i];
//
// An array is one of flags if all that write it are atomics, or volatile, for
// the whole device.  Its cells are zero at first (atomics-start-at-zero).  So
// whoever finds something else there has been told by some thread that wrote to
// this cell, whichever one that is.  If it can only be one that had come behind
// the other access, or had a barrier between, the two accesses are ordered.
//
// In a block the first thread may wait for all.

#include "translator/handover.h"

typedef struct Flag {
  const Array *array;
  Stmts raises, waits;
} Flag;

struct Flags {
  Task *task;
  Kernel *kernel;
  Vec(Flag) all;
};

// ----------------------------------------------------------------- flags ---

static bool is_simple(const Stmt *stmt) {
  const Access *access = &stmt->access;
  return access_is_strong(access) && access->scope >= SCOPE_GRID &&
         !access->event && !access->is_any && expr_is_const(access->length);
}

static bool may_wait(const Stmt *stmt) {
  const Access *access = &stmt->access;
  return is_simple(stmt) && access->result &&
         stmt->guard == stmt->block->guard &&
         access->result->width == 8 * access->length->value;
}

static bool add_access(Task *task, Flag *flag, const Stmt *stmt,
                       const Expr **length) {
  bool is_write = access_writes(&stmt->access);
  if (is_write && !atomic_keeps(&stmt->access)) {
    if (!is_simple(stmt) || (*length && *length != stmt->access.length))
      return false;
    *length = stmt->access.length;
    push(&task->arena, &flag->raises, stmt);
  }
  if (may_wait(stmt))
    push(&task->arena, &flag->waits, stmt);
  return !is_write || is_simple(stmt);
}

static bool find_flag(Task *task, const Kernel *kernel, Flag *flag) {
  const Expr *length = NULL;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (handover_is_at(stmt, flag->array) &&
        !add_access(task, flag, stmt, &length))
      return false;
  }
  for (size_t i = 0; i < flag->waits.count; i++)
    if (flag->waits.at[i]->access.length != length)
      return false;
  return flag->raises.count && flag->waits.count;
}

Flags *flags_new(Task *task, Kernel *kernel) {
  Flags *flags = NEW(&task->arena, Flags);
  *flags = (Flags){.task = task, .kernel = kernel};
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    Flag flag = {.array = kernel->arrays.at[i]};
    if (flag.array->space == SPACE_GLOBAL && find_flag(task, kernel, &flag))
      push(&task->arena, &flags->all, flag);
  }
  return flags;
}

// ----------------------------------------------------------------- raises ---

// Any thread of the launch, at any time.
typedef struct Anyone {
  Task *task;
  Kernel *kernel;
  Expr **copies; // by Symbol.number, or NULL
  Substitution substitution;
} Anyone;

static Expr *of_anyone(Task *task, Symbol *symbol, void *data) {
  Anyone *anyone = data;
  if (symbol_is_of_launch(symbol))
    return symbol->expr;
  Expr **copy = &anyone->copies[symbol->number];
  if (!*copy)
    *copy = leader_symbol(task, anyone->kernel, SYMBOL_UNKNOWN, symbol->width,
                          arena_printf(&task->arena, "%s@any", symbol->name))
                ->expr;
  return *copy;
}

static Anyone anyone_new(Flags *flags) {
  return (Anyone){.task = flags->task,
                  .kernel = flags->kernel,
                  .copies = arena_alloc(&flags->task->arena,
                                        (flags->kernel->symbols.count + 1) *
                                            sizeof(Expr *)),
                  .substitution = {.replace = of_anyone}};
}

static Expr *anyones(Anyone *anyone, Expr *a) {
  anyone->substitution.data = anyone;
  return expr_substitute(anyone->task, &anyone->substitution, a);
}

static Expr *are_equal(Task *task, Anyone *anyone, Context *context,
                       Expr *const *ids) {
  Expr *equal = expr_bool(task, true);
  for (unsigned axis = 0; axis < 3; axis++)
    equal = expr_and(task, equal,
                     expr_eq(task, anyones(anyone, ids[axis]),
                             context_expr(context, ids[axis])));
  return equal;
}

static bool has_fence(const Flags *flags, const Stmt *from, const Stmt *to,
                      const Loop *within) {
  return way_is_fenced(flags->task, flags->kernel, from, to, within,
                       SCOPE_GRID);
}

// If that one raises the flag, has the access of `context` happened for whoever
// sees it?
static Expr *is_published(Flags *flags, Anyone *anyone, Context *context,
                          const Stmt *stmt, const Stmt *raise) {
  Task *task = flags->task;
  const Kernel *kernel = flags->kernel;
  if (can_follow(task, kernel, raise, stmt))
    return expr_bool(task, false);
  Expr *published = leader_publishes(kernel->leaders, stmt, raise, SCOPE_GRID);
  if (raise->access.releases || has_fence(flags, stmt, raise, NULL))
    published = expr_or(task, published,
                        are_equal(task, anyone, context, kernel->thread_id));
  return expr_and(task, published,
                  are_equal(task, anyone, context, kernel->block_id));
}

// Somebody raised the flag of that cell without having come behind the access.
static Expr *is_raised_by_others(Flags *flags, const Flag *flag,
                                 Context *context, const Stmt *stmt,
                                 Expr *cell) {
  Task *task = flags->task;
  const Kernel *kernel = flags->kernel;
  Expr *some = expr_bool(task, false);
  for (size_t i = 0; i < flag->raises.count; i++) {
    const Stmt *raise = flag->raises.at[i];
    Anyone anyone = anyone_new(flags);
    Expr *raised =
        expr_and(task, anyones(&anyone, raise->guard),
                 expr_eq(task, anyones(&anyone, raise->access.offset), cell));
    for (size_t k = 0; k < kernel->facts.count; k++)
      raised = expr_and(task, raised, anyones(&anyone, kernel->facts.at[k]));
    Expr *published = is_published(flags, &anyone, context, stmt, raise);
    some =
        expr_or(task, some, expr_and(task, raised, expr_not(task, published)));
  }
  return some;
}

// ------------------------------------------------------------------ waits ---

static Expr *has_seen(Task *task, const Stmt *wait) {
  Expr *found = wait->access.result->expr;
  return expr_and(
      task, wait->guard,
      expr_not(task, expr_eq(task, found, expr_const(task, found->width, 0))));
}

// The access is behind a read that found the flag raised, and its cell.
typedef struct Seen {
  Expr *has_seen; // false: it is not
  Expr *cell;
} Seen;

static Seen seen_by_self(Flags *flags, Context *context, const Stmt *wait,
                         const Stmt *stmt) {
  Task *task = flags->task;
  const Loop *within = ways_common_loop(wait, stmt);
  if (!way_exists(task, flags->kernel, wait, stmt, within, NULL, NULL))
    return (Seen){expr_bool(task, false), NULL};
  Expr *seen = context_expr(context, has_seen(task, wait));
  if (!wait->access.acquires_always && !has_fence(flags, wait, stmt, within))
    seen = expr_and(task, seen, leader_loose_fences(flags->kernel->leaders));
  return (Seen){seen, context_expr(context, wait->access.offset)};
}

static Seen seen_for_all(Flags *flags, Context *context, const Stmt *wait,
                         const Stmt *stmt, Expr **known) {
  Task *task = flags->task;
  Leaders *leaders = flags->kernel->leaders;
  Expr *acquires = leader_acquires(leaders, wait, wait->access.acquires_always,
                                   stmt, SCOPE_GRID);
  if (expr_is_false(acquires) || !leader_alone(task, flags->kernel, wait) ||
      can_follow(task, flags->kernel, stmt, wait))
    return (Seen){expr_bool(task, false), NULL};
  *known = expr_and(task, *known,
                    context_expr(context, leader_has_left(leaders, wait)));
  Expr *seen = leader_expr(leaders, has_seen(task, wait));
  Expr *cell = leader_expr(leaders, wait->access.offset);
  return (Seen){expr_and(task, context_expr(context, seen), acquires),
                context_expr(context, cell)};
}

// ------------------------------------------------------------------ order ---

static Expr *is_told(Flags *flags, const Flag *flag, const Seen *seen,
                     Context *first, const Stmt *stmt) {
  Task *task = flags->task;
  if (expr_is_false(seen->has_seen))
    return seen->has_seen;
  Expr *others = is_raised_by_others(flags, flag, first, stmt, seen->cell);
  return expr_and(task, seen->has_seen, expr_not(task, others));
}

// One of them is behind a wait for what the other one has come before.
static Expr *are_in_order(Flags *flags, Meeting *meeting, const Flag *flag,
                          const Stmt *stmts[2], unsigned first, Expr **known) {
  Task *task = flags->task;
  Context *one = &meeting->context[first], *two = &meeting->context[1 - first];
  const Stmt *early = stmts[first], *late = stmts[1 - first];
  Expr *ordered = expr_bool(task, false);
  for (size_t i = 0; i < flag->waits.count; i++) {
    const Stmt *wait = flag->waits.at[i];
    Seen seen[] = {seen_by_self(flags, two, wait, late),
                   seen_for_all(flags, two, wait, late, known)};
    for (unsigned k = 0; k < 2; k++)
      ordered =
          expr_or(task, ordered, is_told(flags, flag, &seen[k], one, early));
  }
  return ordered;
}

Expr *flags_keep_apart(Flags *flags, Meeting *meeting, const Stmt *a,
                       const Stmt *b, Expr **known) {
  Task *task = flags->task;
  const Stmt *stmts[2] = {a, b};
  Expr *apart = expr_bool(task, false);
  for (size_t i = 0; !meeting->same_block && i < flags->all.count; i++)
    for (unsigned first = 0; first < 2; first++)
      apart = expr_or(
          task, apart,
          are_in_order(flags, meeting, &flags->all.at[i], stmts, first, known));
  return expr_and(task, leader_start_at_zero(flags->kernel->leaders), apart);
}
