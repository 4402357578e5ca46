// The two-thread program: what can go wrong, as formulas.
//
// A race is between two accesses, so two threads are enough to show it,
// provided that what the others may have written is not lost: a read of
// written memory returns anything (SOUND(other-threads)).  For every two
// accesses of an array, one of which writes, and every barrier interval that
// both lie in, there is one obligation: thread 1 at the first, thread 2 at
// the second, and overlapping bytes.  Threads of two blocks meet wherever
// they are, unless a barrier of the whole grid lies between.
//
// The obligations of divergence are made in divergence.c; assertions, bounds
// and invariants, about one thread, at the end of this file.

#include "translator/handover.h"

#include <string.h>

// Of two accesses in one of their common intervals.
typedef struct Collision {
  const Meeting *meeting;
  const Expr *formula;
} Collision;

typedef struct Maker {
  Task *task;
  Kernel *kernel;
  const Options *options;
  Pair *pair;
  Meetings *meetings;
  Counters *counters;
  Winners *winners;
  Handover *handover;         // NULL: order by atomics is not followed
  AccessPlaces *places[4][2]; // by Reach; of shared, of global memory
  bool has_warp_barrier;
  Vec(Collision) collisions; // of the two accesses and the reach at hand
  ExprMap *divisors;         // of terms, see overlap.c
} Maker;

Obligation *pair_add(Task *task, Pair *pair, ObligationKind kind,
                     Expr *violation) {
  Obligation *obligation = NEW(&task->arena, Obligation);
  obligation->kind = kind;
  obligation->violation = violation;
  push(&task->arena, &pair->obligations, obligation);
  obligation->number = (unsigned)pair->obligations.count;
  return obligation;
}

static bool may_help(const Obligation *obligation, unsigned kind) {
  return kind != PREMISE_EXITED_THREADS ||
         obligation->kind == OBLIGATION_DIVERGENCE;
}

// Those that the user assumes are facts, others are tried where these are not
// enough.
static void fill_premises(Obligation *obligation, Context *context,
                          Position position) {
  const Options *options = context->meeting->kernel->options;
  for (unsigned i = 0; i < PREMISES; i++) {
    Exprs *facts = &obligation->premises[i];
    if (!may_help(obligation, i) ||
        (!options->assumed[i] && !options->tried[i]))
      continue;
    if (options->assumed[i])
      facts = &obligation->facts;
    context_premises(context, position, (PremiseKind)i, facts);
  }
}

// Facts are about any partner, so about this one.
static void add_partners(Meeting *meeting, Exprs *facts) {
  Task *task = meeting->task;
  const Kernel *kernel = meeting->kernel;
  for (size_t i = 0; i < kernel->partners.count; i++) {
    const Symbol *partner = kernel->partners.at[i];
    for (unsigned k = 0; k < 2; k++)
      push(&task->arena, facts,
           expr_eq(
               task, context_expr(&meeting->context[k], partner->expr),
               context_expr(&meeting->context[1 - k], partner->ghost->value)));
  }
}

void pair_fill_facts(Obligation *obligation, Meeting *meeting,
                     const Position *positions) {
  Arena *arena = &meeting->task->arena;
  const Kernel *kernel = meeting->kernel;
  for (unsigned i = 0; i < (meeting->is_single ? 1u : 2u); i++) {
    Context *context = &meeting->context[i];
    context_facts(meeting->meetings, context, positions[i], &obligation->facts);
    if (!meeting->keeps_phis)
      context_history(meeting->meetings, context, positions[i],
                      &obligation->history);
    fill_premises(obligation, context, positions[i]);
    context_id(context, obligation->thread_id[i], obligation->block_id[i]);
    obligation->context[i] = context;
    for (size_t k = 0; k < kernel->no_overflow.count; k++)
      push(arena,
           kernel->options->no_overflow ? &obligation->facts
                                        : &obligation->no_overflow,
           context_expr(context, kernel->no_overflow.at[k]));
  }
  if (!meeting->is_single && !meeting->is_one && meeting->same_block)
    add_partners(meeting, &obligation->facts);
  if (kernel->block_limit)
    push(arena, &obligation->history, kernel->block_limit);
}

// ----------------------------------------------------------------- races ---

typedef struct Side {
  Stmt *stmt;
  const AccessPlace *place;
  Context *context;
} Side;

static bool is_enough(Scope scope, bool same_block) {
  return scope >= SCOPE_GRID || (same_block && scope >= SCOPE_BLOCK);
}

// Atomics are one with respect to each other if they are about the very same
// bytes; of one size they are, for they have to be aligned.
static bool is_of_one_size(const Access *x, const Access *y) {
  return x->length == y->length;
}

bool access_is_strong(const Access *access) {
  return access->kind == ACCESS_ATOMIC || access->is_volatile;
}

bool access_writes(const Access *access) {
  return access->kind == ACCESS_WRITE ||
         (access->kind == ACCESS_ATOMIC && !access->is_load);
}

const char *accessed_name(const Access *access) {
  return access->name ? access->name : access->array->name;
}

// Both strong, for scopes with both threads in them, and of the same bytes: no
// race, as PTX's memory model has it.
static bool are_morally_strong(const Access *x, const Access *y,
                               bool same_block) {
  return access_is_strong(x) && access_is_strong(y) &&
         is_enough(x->scope, same_block) && is_enough(y->scope, same_block) &&
         is_of_one_size(x, y);
}

// SOUND(volatile-accesses): what a volatile access meets is no race, but told.
static bool is_to_be_told(const Access *x, const Access *y) {
  return x->is_volatile || y->is_volatile;
}

static bool conflict(const Stmt *a, const Stmt *b, bool same_block) {
  const Access *x = &a->access, *y = &b->access;
  if (x->array != y->array)
    return false;
  if (x->array->space != SPACE_GLOBAL &&
      (x->array->space != SPACE_SHARED || !same_block))
    return false;
  if (!access_writes(x) && !access_writes(y))
    return false;
  return !are_morally_strong(x, y, same_block) || is_to_be_told(x, y);
}

// Whoever looks at what another one writes meanwhile has no invariant.
static bool is_look(const Stmt *stmt) { return stmt->kind == STMT_LOOK; }

static Expr *in_context(const Side *side, Expr *a) {
  return a ? context_expr(side->context, a) : NULL;
}

// Two writes of one value to one cell do no harm: GPUVerify's tolerance,
// SOUND(benign-writes).
static Expr *is_benign(const Maker *maker, const Side *one, const Side *two) {
  Task *task = maker->task;
  const Access *x = &one->stmt->access, *y = &two->stmt->access;
  Expr *a = in_context(one, x->value), *b = in_context(two, y->value);
  if (maker->options->no_benign_tolerance || x->kind != ACCESS_WRITE ||
      y->kind != ACCESS_WRITE || x->is_volatile || y->is_volatile || !a || !b ||
      a->width != b->width)
    return expr_bool(task, false);
  return expr_and(
      task,
      expr_eq(task, in_context(one, x->offset), in_context(two, y->offset)),
      expr_eq(task, a, b));
}

// Control gets there, without a barrier on the way.
static Expr *arrives(const Maker *maker, const Side *side) {
  Task *task = maker->task;
  const AccessPlace *place = side->place;
  Expr *here = expr_and(task, in_context(side, side->stmt->guard),
                        in_context(side, place->condition));
  return place->round ? expr_and(task, here,
                                 context_before(maker->meetings, side->context,
                                                place->round, place->before))
                      : here;
}

static Expr *is_empty(Task *task, Expr *length) {
  return expr_eq(task, length, expr_const(task, 64, 0));
}

// Its type says that it is, and nothing but an argument might deny it.  What is
// wider is several accesses.
static bool is_aligned(Maker *maker, const Side *side) {
  enum { WIDEST = 16 };
  const Access *access = &side->stmt->access;
  const Expr *length = access->length;
  uint64_t bytes = expr_is_const(length) ? length->value : 0;
  return bytes && bytes <= WIDEST && (bytes & (bytes - 1)) == 0 &&
         access->alignment >= bytes &&
         bytes_are_aligned_by_arguments(maker->task, maker->divisors,
                                        in_context(side, access->offset),
                                        bytes);
}

// Two of one size that are aligned to it begin at one byte:
// SOUND(aligned-accesses).
static Expr *have_common_byte(Maker *maker, const Side *one, const Side *two) {
  Task *task = maker->task;
  const Access *x = &one->stmt->access, *y = &two->stmt->access;
  Expr *a = in_context(one, x->offset), *n = in_context(one, x->length);
  Expr *b = in_context(two, y->offset), *m = in_context(two, y->length);
  Expr *overlap = bytes_overlap(task, maker->divisors, a, n, b, m);
  Expr *is_same = expr_eq(task, a, b);
  if (overlap == is_same || n != m || !is_aligned(maker, one) ||
      !is_aligned(maker, two))
    return overlap;
  kernel_assume(task, maker->kernel, "aligned-accesses");
  return is_same;
}

// Both get to their accesses, which have a byte in common.
static Expr *collide(Maker *maker, const Side *one, const Side *two) {
  Task *task = maker->task;
  Expr *both = expr_and(task, arrives(maker, one), arrives(maker, two));
  Expr *n = in_context(one, one->stmt->access.length);
  Expr *m = in_context(two, two->stmt->access.length);
  both = expr_and(task, both, expr_not(task, is_empty(task, n)));
  both = expr_and(task, both, expr_not(task, is_empty(task, m)));
  return expr_is_false(both)
             ? both
             : expr_and(task, both, have_common_byte(maker, one, two));
}

bool will_decide(const Kernel *kernel, const Stmt *stmt, const Loop *loop) {
  for (size_t i = 0; i < kernel->loops.count; i++) {
    const Loop *inner = kernel->loops.at[i];
    if (inner != loop && loop_is_inside(inner, loop) &&
        (loop_contains(inner, stmt->block) ||
         inner->header->index > stmt->block->index))
      return false;
  }
  for (size_t i = stmt->number; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->kind == STMT_ASSUME &&
        loop_contains(loop, kernel->stmts.at[i]->block))
      return false;
  return true;
}

// `one` is still in the loop around the barrier that `two` has left.  In lock
// step both go round equally often, so the decision of `one` in its current
// iteration is known.
static Expr *still_inside(const Maker *maker, const Side *one, const Loop *loop,
                          Relation inside, Relation left) {
  Task *task = maker->task;
  if (inside.kind != RELATION_SAME)
    return expr_bool(task, true);
  if (inside.count > left.left_after)
    return expr_bool(task, false);
  if (!will_decide(maker->kernel, one->stmt, loop))
    return expr_bool(task, true);
  Expr *again = in_context(one, loop->again);
  return inside.count < left.left_after ? again : expr_not(task, again);
}

// Threads in lock step leave a loop around a barrier together.
static Expr *leave_together(const Maker *maker, const Side *one,
                            const Side *two) {
  Task *task = maker->task;
  Expr *together = expr_bool(task, true);
  const Stmt *since = one->place->since;
  for (const Loop *loop = since ? since->block->loop : NULL; loop;
       loop = loop->parent) {
    Relation a = one->place->relations[loop->index];
    Relation b = two->place->relations[loop->index];
    if (a.was_left && b.was_left)
      together = expr_and(task, together,
                          expr_bool(task, a.left_after == b.left_after));
    else if (b.was_left)
      together = expr_and(task, together, still_inside(maker, one, loop, a, b));
    else if (a.was_left)
      together = expr_and(task, together, still_inside(maker, two, loop, b, a));
  }
  return together;
}

// Of two statements in one iteration of the loops around both.  A loop that is
// around one of them alone is there as a whole, at its header: what follows it
// may come before its body in the order of blocks.
static const BasicBlock *block_beside(const Stmt *stmt, const Stmt *other) {
  const BasicBlock *block = stmt->block;
  for (const Loop *loop = block->loop; loop; loop = loop->parent)
    if (!loop_contains(loop, other->block))
      block = loop->header;
  return block;
}

// Nor does it come after itself.
static bool is_above(const Stmt *stmt, const Stmt *other) {
  const BasicBlock *one = block_beside(stmt, other);
  const BasicBlock *two = block_beside(other, stmt);
  return one == two ? stmt->number <= other->number : one->index < two->index;
}

// All start a copy together.  So, of its start and what `side` does, which
// comes first is seen from their iterations, and in one iteration from the
// text.
static Expr *is_before(const Maker *maker, const Side *side, const Side *copy) {
  Task *task = maker->task;
  Expr *before = expr_bool(task, is_above(side->stmt, copy->stmt));
  for (const Loop *loop = copy->stmt->block->loop; loop; loop = loop->parent) {
    if (!loop_contains(loop, side->stmt->block))
      continue;
    Relation x = side->place->relations[loop->index];
    Relation y = copy->place->relations[loop->index];
    Expr *a = side->context->iterations[loop->index];
    Expr *b = copy->context->iterations[loop->index];
    if (x.kind == RELATION_SAME && y.kind == RELATION_SAME) {
      a = expr_const(task, 64, x.count);
      b = expr_const(task, 64, y.count);
    }
    before = expr_or(task, expr_binary(task, EXPR_ULT, a, b),
                     expr_and(task, expr_eq(task, a, b), before));
  }
  return before;
}

// What comes after the start of a copy races with it until the wait, barriers
// or not: REACH_EVENT, where the copy is `one`.  What comes before it races
// within intervals of barriers.
static Expr *is_in_order(const Maker *maker, const Side *one, const Side *two,
                         Reach reach) {
  if (reach == REACH_EVENT)
    return expr_not(maker->task, is_before(maker, two, one));
  if (one->stmt->access.event)
    return is_before(maker, two, one);
  if (two->stmt->access.event)
    return is_before(maker, one, two);
  return expr_bool(maker->task, true);
}

static const char *race_sentence(Maker *maker, const Stmt *a, const Stmt *b) {
  AccessKind x = a->access.kind, y = b->access.kind;
  AccessKind first = x > y ? x : y, second = x > y ? y : x;
  if (first == ACCESS_WRITE && second == ACCESS_READ) {
    first = ACCESS_READ;
    second = ACCESS_WRITE;
  }
  const char *one = accessed_name(&a->access), *two = accessed_name(&b->access);
  if (is_look(a) || is_look(b))
    return arena_printf(&maker->task->arena,
                        "a barrier invariant reads '%s', which another thread "
                        "may write meanwhile",
                        is_look(a) ? one : two);
  bool is_one = !strcmp(one, two);
  return arena_printf(&maker->task->arena, "possible %s-%s race on '%s'%s%s%s",
                      access_name(first), access_name(second), one,
                      is_one ? "" : " and '", is_one ? "" : two,
                      is_one ? "" : "', which are one");
}

// --warp-sync=N: N threads in a row run in lock step, so only one statement
// executed by both can collide.
static Expr *is_out_of_step(const Maker *maker, const Side *one,
                            const Side *two) {
  Task *task = maker->task;
  unsigned size = maker->options->warp_sync;
  if (!size)
    return expr_bool(task, true);
  return expr_not(task, expr_eq(task, context_group(one->context, size),
                                context_group(two->context, size)));
}

// SOUND(seed-reads): whatever a seed is, it costs a round of compare-and-swaps.
static bool is_seed_beside(const Access *read, const Access *other) {
  return read->is_seed && other->kind == ACCESS_ATOMIC;
}

// Keeps what it would be if nothing was tolerated.
static void tolerate(Task *task, Obligation *obligation, Expr *tolerated,
                     const char *name) {
  Obligation *strict = NEW(&task->arena, Obligation);
  if (expr_is_false(tolerated))
    return;
  *strict = *obligation;
  obligation->violation =
      expr_and(task, obligation->violation, expr_not(task, tolerated));
  obligation->strict = strict;
  obligation->tolerance = name;
}

// Two that write to one cell of a row may be in the same iteration.
static void tolerate_same(const Maker *maker, const Side *one, const Side *two,
                          Obligation *obligation) {
  Task *task = maker->task;
  Expr *same = is_benign(maker, one, two);
  tolerate(task, obligation, same, "benign-writes");
  if (!expr_is_false(same))
    obligation->violation =
        expr_and(task, obligation->violation,
                 meeting_equal(one->context->meeting, one->stmt->access.value));
}

// Intervals that look the same from both accesses are one obligation.
static bool is_repeated(Maker *maker, const Meeting *meeting,
                        const Expr *collision) {
  for (size_t i = 0; i < maker->collisions.count; i++)
    if (maker->collisions.at[i].meeting == meeting &&
        maker->collisions.at[i].formula == collision)
      return true;
  push(&maker->task->arena, &maker->collisions,
       ((Collision){meeting, collision}));
  return false;
}

static void note_order(Maker *maker, Obligation *obligation) {
  bool same_block = obligation->same_block;
  const Stmt *a = obligation->first, *b = obligation->second;
  if (!order_may_exist(maker->task, maker->kernel, a, b, same_block))
    return;
  maker->kernel->may_have_order = true;
  obligation->doubt =
      same_block
          ? "order in a block by a fence and an atomic is not followed"
          : "order between blocks by a fence and an atomic is not followed";
}

// What threads of a warp told each other.
static void add_lanes_facts(const Maker *maker, Meeting *meeting,
                            const Position *positions, Obligation *obligation) {
  Sources sources[2] = {0};
  Exprs *facts = &obligation->facts;
  lanes_facts_behind(meeting, positions, facts);
  shuffles_add_facts(meeting, positions, obligation, sources);
  counters_add_of_sources(maker->counters, sources, positions, obligation);
  shuffles_add_consistency(sources, facts);
  bits_add_facts(maker->task, obligation);
}

static void add_race(Maker *maker, Stmt *a, const AccessPlace *place_a, Stmt *b,
                     const AccessPlace *place_b, Reach reach) {
  Task *task = maker->task;
  bool same_block = reach != REACH_GRID;
  Position positions[2] = {position_of(a), position_of(b)};
  Meeting *meeting =
      meeting_of_places(maker->meetings, same_block, positions[0], place_a,
                        positions[1], place_b);
  Side one = {a, place_a, &meeting->context[0]};
  Side two = {b, place_b, &meeting->context[1]};
  Expr *collision =
      expr_and(task, meeting_is_of_two(meeting), collide(maker, &one, &two));
  collision = expr_and(task, collision, leave_together(maker, &one, &two));
  if (maker->handover)
    collision = expr_and(task, collision,
                         handover_leaves_open(maker->handover, meeting, a, b));
  if (same_block)
    collision =
        expr_and(task, collision, is_in_order(maker, &one, &two, reach));
  if (maker->has_warp_barrier && same_block && reach != REACH_EVENT) {
    Expr *same_warp =
        expr_eq(task, context_warp(one.context), context_warp(two.context));
    collision =
        expr_and(task, collision,
                 reach == REACH_WARP ? same_warp : expr_not(task, same_warp));
  }
  if (same_block && reach != REACH_EVENT && a != b)
    collision = expr_and(task, collision, is_out_of_step(maker, &one, &two));
  if (expr_is_false(collision) || is_repeated(maker, meeting, collision))
    return;
  bool is_race = !is_look(a) && !is_look(b);
  Obligation *obligation =
      pair_add(maker->task, maker->pair,
               is_race ? OBLIGATION_RACE : OBLIGATION_ASSERTION, collision);
  obligation->alone[0] =
      expr_and(task, meeting_is_of_two(meeting), arrives(maker, &one));
  obligation->alone[1] =
      expr_and(task, meeting_is_of_two(meeting), arrives(maker, &two));
  obligation->reached =
      expr_and(task, obligation->alone[0], obligation->alone[1]);
  obligation->first = a;
  obligation->second = b;
  obligation->barrier = reach == REACH_EVENT ? NULL : place_a->since;
  obligation->same_block = same_block;
  obligation->same_warp = reach == REACH_WARP;
  note_order(maker, obligation);
  obligation->sentence = race_sentence(maker, a, b);
  obligation->offset[0] = in_context(&one, a->access.offset);
  obligation->offset[1] = in_context(&two, b->access.offset);
  pair_fill_facts(obligation, meeting, positions);
  counters_add_facts(maker->counters, meeting, obligation);
  winners_add_facts(maker->winners, meeting, &obligation->facts);
  add_lanes_facts(maker, meeting, positions, obligation);
  if (are_morally_strong(&a->access, &b->access, same_block))
    tolerate(task, obligation, expr_bool(task, true), "volatile-accesses");
  else if (is_seed_beside(&a->access, &b->access) ||
           is_seed_beside(&b->access, &a->access))
    tolerate(task, obligation, expr_bool(task, true),
             premise_name(PREMISE_SEED_READS));
  else
    tolerate_same(maker, &one, &two, obligation);
}

// REACH_EVENT: from the copy `a` on until the wait for it, barriers or not.
static void add_races_within(Maker *maker, Stmt *a, Stmt *b, Reach reach) {
  bool is_global = a->access.array->space != SPACE_SHARED;
  const AccessPlaces *x = &maker->places[reach][is_global][a->number];
  const AccessPlaces *y = &maker->places[reach][is_global][b->number];
  maker->collisions.count = 0;
  for (size_t i = 0; i < x->count; i++)
    for (size_t k = 0; k < y->count; k++) {
      const Stmt *since = x->at[i].since;
      if (since == y->at[k].since && (reach != REACH_EVENT || since == a))
        add_race(maker, a, &x->at[i], b, &y->at[k], reach);
    }
}

// Of a copy and what is no copy, intervals of barriers are about what comes
// before the copy: see is_in_order.  Two copies meet only while one of them
// is on its way.
static void add_races_of_block(Maker *maker, Stmt *a, Stmt *b) {
  if (!a->access.event || !b->access.event) {
    if (maker->has_warp_barrier)
      add_races_within(maker, a, b, REACH_WARP);
    add_races_within(maker, a, b, REACH_BLOCK);
  }
  if (a->access.event)
    add_races_within(maker, a, b, REACH_EVENT);
  if (b->access.event && a != b)
    add_races_within(maker, b, a, REACH_EVENT);
}

// `b` is no earlier than `a`.
static void add_races(Maker *maker, Stmt *a, Stmt *b) {
  task_check_time(maker->task, a->loc);
  if (conflict(a, b, true))
    add_races_of_block(maker, a, b);
  if (!maker->options->only_intra_group && conflict(a, b, false))
    add_races_within(maker, a, b, REACH_GRID);
}

static bool has_name(const Array *array, const char *name, size_t length) {
  return strlen(array->name) == length && !strncmp(array->name, name, length);
}

// A name that the kernel does not have is a mistake, not a wish.
static void expect_array(const Maker *maker, const char *name, size_t length) {
  const Kernel *kernel = maker->kernel;
  for (size_t i = 0; i < kernel->arrays.count; i++)
    if (has_name(kernel->arrays.at[i], name, length))
      return;
  unsupported(maker->task, kernel->loc,
              "--check-arrays: the kernel accesses no array '%.*s'",
              (int)length, name);
}

// SOUND(unchecked-arrays)
static void note_unchecked(const Maker *maker) {
  const char *at = maker->options->check_arrays;
  if (!at)
    return;
  for (; *at; at += strspn(at, ",")) {
    expect_array(maker, at, strcspn(at, ","));
    at += strcspn(at, ",");
  }
  kernel_assume(maker->task, maker->kernel, "unchecked-arrays");
}

static bool is_checked(const Maker *maker, const Array *array) {
  const char *at = maker->options->check_arrays;
  if (!at)
    return true;
  for (; *at; at += strspn(at, ",")) {
    size_t length = strcspn(at, ",");
    if (has_name(array, at, length))
      return true;
    at += length;
  }
  return false;
}

static bool has_access(const Stmt *stmt) {
  return stmt->kind == STMT_ACCESS || is_look(stmt);
}

static void make_races(Maker *maker) {
  Kernel *kernel = maker->kernel;
  note_unchecked(maker);
  for (size_t i = 0; i < kernel->stmts.count; i++)
    for (size_t k = i; k < kernel->stmts.count; k++)
      if (has_access(kernel->stmts.at[i]) && has_access(kernel->stmts.at[k]) &&
          is_checked(maker, kernel->stmts.at[i]->access.array))
        add_races(maker, kernel->stmts.at[i], kernel->stmts.at[k]);
}

// ----------------------------------------------- assertions and the rest ---

// NULL: it cannot be violated.
static Obligation *add_single(Maker *maker, ObligationKind kind, Stmt *stmt,
                              Expr *wrong, const char *sentence) {
  Meeting *meeting =
      meeting_single_at(maker->meetings, false, position_of(stmt));
  Context *context = &meeting->context[0];
  Expr *violation =
      context_expr(context, expr_and(maker->task, stmt->guard, wrong));
  if (expr_is_false(violation))
    return NULL;
  Obligation *obligation = pair_add(maker->task, maker->pair, kind, violation);
  obligation->reached = context_expr(context, stmt->guard);
  obligation->first = stmt;
  obligation->sentence = sentence;
  obligation->same_block = true;
  if (stmt->kind == STMT_ACCESS)
    obligation->offset[0] = context_expr(context, stmt->access.offset);
  Position positions[2] = {position_of(stmt), position_of(stmt)};
  pair_fill_facts(obligation, meeting, positions);
  return obligation;
}

static void add_assertion(Maker *maker, Stmt *stmt) {
  Expr *wrong = expr_not(maker->task, stmt->condition);
  const char *sentence =
      stmt->doubt ? stmt->message
                  : arena_printf(&maker->task->arena, "assertion may fail: %s",
                                 stmt->message);
  Obligation *obligation =
      add_single(maker, OBLIGATION_ASSERTION, stmt, wrong, sentence);
  if (obligation)
    obligation->doubt = stmt->doubt;
}

// Unsigned, the bytes left behind the offset are enough; a negative offset is
// a large one.  Without a size only the lower bound is known.
static void add_bounds(Maker *maker, Stmt *stmt) {
  Task *task = maker->task;
  const Access *access = &stmt->access;
  const Array *array = access->array;
  Expr *wrong;
  if (array->bytes) {
    Expr *room = expr_sub(task, array->bytes, access->offset);
    wrong =
        expr_or(task, expr_binary(task, EXPR_ULT, array->bytes, access->offset),
                expr_binary(task, EXPR_ULT, room, access->length));
  } else {
    kernel_assume(task, maker->kernel, "in-bounds");
    wrong =
        expr_binary(task, EXPR_SLT, access->offset, expr_const(task, 64, 0));
  }
  add_single(maker, OBLIGATION_BOUNDS, stmt, wrong,
             arena_printf(&task->arena, "possible out-of-bounds access of '%s'",
                          accessed_name(access)));
}

// Where nothing is known all else is in question, whatever is looked for.
static bool is_asserted(const Maker *maker, const Stmt *stmt) {
  const Options *options = maker->options;
  return stmt->kind == STMT_ASSERT &&
         (stmt->doubt || !options->only_divergence || options->assert_false);
}

static bool has_bounds(const Maker *maker, const Stmt *stmt) {
  const Options *options = maker->options;
  return stmt->kind == STMT_ACCESS && options->check_array_bounds &&
         (!options->only_divergence || options->assert_false);
}

static void make_assertions(Maker *maker) {
  const Kernel *kernel = maker->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    Stmt *stmt = kernel->stmts.at[i];
    if (is_asserted(maker, stmt))
      add_assertion(maker, stmt);
    else if (has_bounds(maker, stmt))
      add_bounds(maker, stmt);
  }
}

static void add_once(Task *task, ExprMap *seen, Expr *e, Exprs *to) {
  if (expr_map_get(seen, e))
    return;
  expr_map_put(task, seen, e, e);
  push(&task->arena, to, e);
}

// A kernel has many operations of which the same is assumed, and that are meant
// where the same holds.
static void add_premises_of(Maker *maker, Context *context, unsigned kind) {
  const Premises *premises = &maker->kernel->premises[kind];
  Task *task = maker->task;
  Pair *pair = maker->pair;
  bool is_assumed = maker->kernel->options->assumed[kind];
  ExprMap *facts = expr_map_new(task), *occasions = expr_map_new(task);
  for (size_t i = 0; i < premises->count; i++) {
    const Premise *premise = &premises->at[i];
    add_once(task, facts, context_expr(context, premise->fact),
             is_assumed ? &pair->consistent : &pair->premises[kind]);
    if (premise->when)
      add_once(task, occasions, context_expr(context, premise->when),
               &pair->occasions[kind]);
  }
}

// Of a thread that has come to the end.
static void add_premises(Maker *maker, Context *context) {
  for (unsigned i = 0; i < PREMISES; i++)
    add_premises_of(maker, context, i);
  maker->pair->exit = context_expr(context, maker->kernel->exit);
}

// Where a search ends nothing is said of the kernel.
static void add_consistent(Maker *maker, Context *context, const Stmt *stmt) {
  if (stmt->is_cut)
    return;
  push(&maker->task->arena, &maker->pair->consistent,
       context_expr(context,
                    expr_implies(maker->task, stmt->guard, stmt->condition)));
}

// The assumptions alone, and a thread that gets past them all.
static void make_consistency(Maker *maker) {
  Meeting *meeting = meeting_single(maker->meetings, false);
  Context *context = &meeting->context[0];
  const Kernel *kernel = maker->kernel;
  Arena *arena = &maker->task->arena;
  for (size_t i = 0; i < kernel->facts.count; i++)
    push(arena, &maker->pair->consistent,
         context_expr(context, kernel->facts.at[i]));
  for (size_t i = 0; i < kernel->meant.count; i++)
    push(arena, &maker->pair->meant,
         context_expr(context, kernel->meant.at[i]));
  for (size_t i = 0; i < kernel->choices.count; i++)
    push(arena, &maker->pair->choices,
         context_expr(context, kernel->choices.at[i]));
  if (kernel->block_limit)
    push(arena, &maker->pair->consistent, kernel->block_limit);
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ASSUME)
      add_consistent(maker, context, stmt);
  }
  for (size_t i = 0; i < kernel->addresses.count; i++)
    add_consistent(maker, context, kernel->addresses.at[i]);
  add_premises(maker, context);
}

// ------------------------------------------------------------ invariants ---

// The formula of another iteration.  Of what an iteration computes anew, a read
// for one, nothing is known there.
typedef struct Shift {
  Maker *maker;
  const Loop *loop;
  bool step; // one iteration later; else on entry
} Shift;

static Expr *replace_shifted(Task *task, Symbol *symbol, void *data) {
  const Shift *shift = data;
  const Loop *loop = shift->loop;
  if (!symbol->loop || !loop_is_inside(symbol->loop, loop))
    return symbol->expr;
  if (symbol == loop->iteration)
    return shift->step ? expr_add(task, symbol->expr, expr_const(task, 64, 1))
                       : expr_const(task, 64, 0);
  if (symbol->kind == SYMBOL_PHI && symbol->loop == loop)
    return shift->step ? symbol->next : symbol->init;
  return meetings_anew(shift->maker->meetings, symbol);
}

static Expr *shifted(Maker *maker, const Loop *loop, Expr *formula, bool step) {
  Shift shift = {maker, loop, step};
  Substitution substitution = {.replace = replace_shifted, .data = &shift};
  return expr_substitute(maker->task, &substitution, formula);
}

static Obligation *make_invariant(Maker *maker, Loop *loop, Expr *formula,
                                  bool step, const Exprs *assumed,
                                  ObligationKind kind) {
  Task *task = maker->task;
  bool is_guess = kind == OBLIGATION_CANDIDATE;
  Position position = step ? position_at_latch(maker->kernel, loop)
                           : position_before(maker->kernel, loop);
  Meeting *meeting = meeting_single_at(maker->meetings, is_guess, position);
  Context *context = &meeting->context[0];
  Expr *reached = step ? loop->again : loop->entry;
  Expr *violation = expr_and(
      task, reached, expr_not(task, shifted(maker, loop, formula, step)));
  Obligation *obligation = pair_add(maker->task, maker->pair, kind,
                                    context_expr(context, violation));
  obligation->reached = context_expr(context, reached);
  obligation->loop = loop;
  obligation->same_block = true;
  Position positions[2] = {position, position};
  for (size_t i = 0; step && assumed && i < assumed->count; i++)
    push(&task->arena, &obligation->facts,
         context_expr(context, assumed->at[i]));
  pair_fill_facts(obligation, meeting, positions);
  return obligation;
}

static void make_user_invariants(Maker *maker) {
  for (size_t i = 0; i < maker->kernel->loops.count; i++) {
    Loop *loop = maker->kernel->loops.at[i];
    for (size_t k = 0; k < loop->asserted.count; k++) {
      Stmt *stmt = loop->asserted.at[k];
      for (int step = 0; step < 2; step++) {
        Obligation *obligation = make_invariant(
            maker, loop, stmt->condition, step, NULL, OBLIGATION_INVARIANT);
        obligation->first = stmt;
        obligation->sentence = step ? "loop invariant may not be kept"
                                    : "loop invariant may not hold on entry";
      }
    }
  }
}

static Maker *maker_new(Task *task, Kernel *kernel) {
  Maker *maker = NEW(&task->arena, Maker);
  maker->task = task;
  maker->kernel = kernel;
  maker->options = kernel->options;
  maker->pair = NEW(&task->arena, Pair);
  maker->pair->kernel = kernel;
  maker->meetings = meetings_new(task, kernel);
  maker->divisors = expr_map_new(task);
  return maker;
}

Obligation *pair_candidate(Task *task, Kernel *kernel, Loop *loop,
                           Expr *candidate, bool step, const Exprs *assumed) {
  Maker *maker = maker_new(task, kernel);
  Obligation *obligation = make_invariant(maker, loop, candidate, step, assumed,
                                          OBLIGATION_CANDIDATE);
  obligation->sentence = "a guessed loop invariant";
  return obligation;
}

Obligation *pair_promise(Task *task, Kernel *kernel, Stmt *stmt,
                         Expr *condition) {
  Maker *maker = maker_new(task, kernel);
  return add_single(maker, OBLIGATION_CANDIDATE, stmt,
                    expr_not(task, condition), "a condition on an operand");
}

// A way round without a barrier does not execute the loop's own barriers, and
// leaves an inner loop that always synchronises in its first iteration.
Obligation *pair_synchronises(Task *task, Kernel *kernel, Loop *loop,
                              unsigned reach, bool is_global) {
  Space space = is_global ? SPACE_GLOBAL : SPACE_SHARED;
  bool *has = loops_with_barrier(task, kernel, (Reach)reach, space);
  if (!has[loop->index])
    return NULL;
  Maker *maker = maker_new(task, kernel);
  bool *skipped = arena_alloc(&task->arena, kernel->loops.count);
  for (size_t i = 0; i < kernel->loops.count; i++)
    skipped[i] =
        has[i] && kernel->loops.at[i]->always_synchronises[reach][is_global];
  Meeting *meeting = meeting_passing(maker->meetings, loop, skipped);
  Expr *way = loop->again;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (loop_contains(loop, stmt->block) &&
        barrier_orders(stmt, (Reach)reach, space))
      way = expr_and(task, way, expr_not(task, stmt->guard));
  }
  Obligation *obligation =
      pair_add(maker->task, maker->pair, OBLIGATION_CANDIDATE,
               context_expr(&meeting->context[0], way));
  obligation->loop = loop;
  Position position = position_at_latch(kernel, loop);
  Position positions[2] = {position, position};
  pair_fill_facts(obligation, meeting, positions);
  return obligation;
}

static void find_places(Maker *maker) {
  for (Reach reach = REACH_WARP; reach <= REACH_EVENT; reach++) {
    maker->places[reach][0] =
        interval_places(maker->task, maker->kernel, reach, SPACE_SHARED);
    maker->places[reach][1] =
        interval_places(maker->task, maker->kernel, reach, SPACE_GLOBAL);
  }
  for (size_t i = 0; i < maker->kernel->stmts.count; i++) {
    const Stmt *stmt = maker->kernel->stmts.at[i];
    maker->has_warp_barrier |=
        stmt->kind == STMT_BARRIER && stmt->barrier.kind == BARRIER_WARP;
  }
}

Pair *pair_from_kernel(Task *task, Kernel *kernel) {
  Maker *maker = maker_new(task, kernel);
  find_places(maker);
  for (unsigned i = 0; i < 2; i++)
    events_check(task, kernel, maker->places[REACH_EVENT][i]);
  if (!maker->options->only_divergence) {
    maker->counters = counters_new(task, kernel, maker->meetings);
    maker->winners = winners_new(task, kernel);
    maker->handover = handover_new(task, kernel);
    if (!maker->options->only_log)
      make_races(maker);
    make_user_invariants(maker);
    claims_add_all(maker->pair, maker->meetings);
  }
  make_assertions(maker);
  divergence_add_all(maker->pair, maker->meetings);
  make_consistency(maker);
  return maker->pair;
}
