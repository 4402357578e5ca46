// Barrier intervals.
//
// When two threads of a block race, both are between the same two barriers: all
// threads pass the same barriers, which is proved separately, as freedom from
// barrier divergence.  So two accesses can meet only if some barrier, or the
// kernel's entry, reaches both without another barrier on the way.  We walk
// from every barrier along all ways that no barrier cuts and note for each
// statement how the iterations of the loops around it compare with those at the
// barrier.  A way without a barrier takes at most one more back edge of a loop
// that has a barrier on each way round, so there the comparison is exact.  In
// other loops the threads' iterations are independent.

#include "translator/handover.h"
#include "translator/pair.h"

#include <assert.h>
#include <string.h>

enum { COUNT_LIMIT = 2 }; // back edges that are told apart

bool barrier_orders(const Stmt *stmt, Reach reach, Space space) {
  if (stmt->kind != STMT_BARRIER)
    return false;
  const Barrier *barrier = &stmt->barrier;
  bool fence =
      space == SPACE_SHARED ? barrier->orders_shared : barrier->orders_global;
  switch (barrier->kind) {
  case BARRIER_EVENT:
    return reach == REACH_EVENT;
  case BARRIER_COPY:
  case BARRIER_LANES:
  case BARRIER_SUB_GROUP:
    return false;
  case BARRIER_GRID:
    return fence && reach != REACH_EVENT;
  case BARRIER_BLOCK:
    return fence && (reach == REACH_WARP || reach == REACH_BLOCK);
  case BARRIER_WARP:
    return fence && reach == REACH_WARP;
  }
  assert(!"a barrier of no kind");
  return false;
}

bool loop_has_barrier(const Kernel *kernel, const Loop *loop,
                      BarrierKind at_least) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_BARRIER && loop_contains(loop, stmt->block) &&
        (stmt->barrier.kind == at_least || stmt->barrier.kind == BARRIER_GRID))
      return true;
  }
  return false;
}

// One point of the walk: the start of a block.
typedef struct State {
  const BasicBlock *block;
  Relation *relations;
} State;

typedef struct Walk {
  Task *task;
  const Kernel *kernel;
  Reach reach;
  Space space;
  bool *cuts; // by Loop.index: the loop has a barrier that counts
  Stmt *since;
  Vec(State) work;   // states still to visit
  Vec(State) * seen; // by BasicBlock.index
  AccessPlaces *places;
} Walk;

static bool equal_relations(const Walk *walk, const Relation *a,
                            const Relation *b) {
  for (size_t i = 0; i < walk->kernel->loops.count; i++)
    if (a[i].kind != b[i].kind || a[i].count != b[i].count ||
        a[i].was_left != b[i].was_left || a[i].left_after != b[i].left_after)
      return false;
  return true;
}

static void set_relation(Relation *relation, RelationKind kind) {
  relation->kind = kind;
  relation->count = 0;
}

static Relation *copy_relations(const Walk *walk, const Relation *from) {
  size_t bytes = (walk->kernel->loops.count + 1) * sizeof *from;
  Relation *copy = arena_alloc(&walk->task->arena, bytes);
  return from ? memcpy(copy, from, bytes) : copy;
}

static void visit(Walk *walk, const BasicBlock *block, Relation *relations) {
  for (size_t i = 0; i < walk->seen[block->index].count; i++)
    if (equal_relations(walk, walk->seen[block->index].at[i].relations,
                        relations))
      return;
  State state = {block, relations};
  push(&walk->task->arena, &walk->seen[block->index], state);
  push(&walk->task->arena, &walk->work, state);
}

static void go_round(const Walk *walk, const Loop *loop, Relation *relations) {
  Relation *own = &relations[loop->index];
  if (own->kind != RELATION_FREE && ++own->count >= COUNT_LIMIT)
    set_relation(own, RELATION_FREE);
  for (size_t i = 0; i < walk->kernel->loops.count; i++) {
    const Loop *inner = walk->kernel->loops.at[i];
    if (inner != loop && loop_is_inside(inner, loop))
      set_relation(&relations[inner->index], RELATION_FREE);
  }
}

// A whole iteration lies behind us, and none goes without a barrier.
static bool is_shut(const Walk *walk, const Loop *loop,
                    const Relation *relations) {
  Relation relation = relations[loop->index];
  return walk->reach != REACH_EVENT &&
         loop->always_synchronises[walk->reach][walk->space != SPACE_SHARED] &&
         (relation.kind == RELATION_FIRST ||
          (relation.kind == RELATION_SAME && relation.count > 0));
}

// Loops around the barrier that the edge leaves.
static void leave(const Edge *edge, Relation *relations) {
  for (const Loop *loop = edge->from->loop; loop; loop = loop->parent) {
    Relation *own = &relations[loop->index];
    if (!loop_contains(loop, edge->to) && own->kind == RELATION_SAME) {
      own->was_left = true;
      own->left_after = own->count;
    }
  }
}

static void follow(Walk *walk, const Edge *edge, const Relation *relations) {
  Relation *next = copy_relations(walk, relations);
  const Loop *loop = edge->to->loop;
  if (edge->is_back && is_shut(walk, loop, relations))
    return;
  leave(edge, next);
  if (edge->is_back)
    go_round(walk, loop, next);
  else if (loop && loop->header == edge->to)
    set_relation(&next[loop->index],
                 walk->cuts[loop->index] ? RELATION_FIRST : RELATION_FREE);
  visit(walk, edge->to, next);
}

// The outermost loop that was entered, or gone round, since the barrier: what
// is before the statement in its current iteration was passed on the way.
// NULL: no such loop.
static const Loop *fresh_loop(const Walk *walk, const BasicBlock *block,
                              const Relation *relations) {
  const Loop *fresh = NULL;
  for (const Loop *loop = block->loop; loop; loop = loop->parent) {
    Relation relation = relations[loop->index];
    bool is_old = relation.kind == RELATION_SAME && relation.count == 0;
    if (walk->cuts[loop->index] && !is_old)
      fresh = loop;
  }
  return fresh;
}

static bool is_waited_for(const Barrier *wait, const Access *copy) {
  enum { EVENT_BYTES = 8 };
  return wait->event == copy->event && wait->event_from <= copy->event_at &&
         copy->event_at < wait->event_to &&
         (copy->event_at - wait->event_from) % EVENT_BYTES == 0;
}

// A wait ends the copies of its own events.
static bool is_cut(const Walk *walk, const Stmt *stmt) {
  return barrier_orders(stmt, walk->reach, walk->space) &&
         (walk->reach != REACH_EVENT ||
          is_waited_for(&stmt->barrier, &walk->since->access));
}

static bool was_passed(const Walk *walk, const Stmt *barrier, const Stmt *stmt,
                       const Loop *fresh) {
  if (!is_cut(walk, barrier) || barrier->number >= stmt->number)
    return false;
  if (fresh)
    return loop_contains(fresh, barrier->block);
  return !walk->since || barrier->number > walk->since->number;
}

// The outermost loop around the block that is within the other one, NULL being
// the kernel.
static const Loop *loop_within(const BasicBlock *block, const Loop *within) {
  const Loop *outermost = NULL;
  for (const Loop *loop = block->loop; loop && loop != within;
       loop = loop->parent)
    outermost = loop;
  return outermost;
}

// Where the order of blocks has it: a loop is as a whole at its header.
static unsigned place_within(const BasicBlock *block, const Loop *within) {
  const Loop *loop = loop_within(block, within);
  return loop ? loop->header->index : block->index;
}

// The loop, within the other one, comes behind the barrier that opens the
// interval, in the same iteration; not where the barrier is in it.
static bool is_behind_since(const Walk *walk, const Loop *loop,
                            const Loop *within) {
  return loop->header->index > place_within(walk->since->block, within);
}

// On the way to the statement the loop was entered, if at all.
static bool was_crossed(const Walk *walk, const Loop *loop, const Loop *within,
                        const Stmt *stmt, const Loop *fresh) {
  if (loop->header->index >= place_within(stmt->block, within))
    return false;
  if (fresh)
    return loop_is_inside(loop, fresh);
  return !walk->since || is_behind_since(walk, loop, within);
}

// Who goes through a loop and past the barrier in it has not executed it in the
// first round.
static Expr *is_not_in_first(Task *task, const Stmt *barrier,
                             const Loop *within) {
  Expr *guard = first_round_guard(task, barrier, within);
  return guard ? expr_not(task, guard) : expr_bool(task, true);
}

static Expr *crossing_condition(const Walk *walk, const Stmt *barrier,
                                const Stmt *stmt, const Loop *fresh) {
  const Loop *within = ways_common_loop(stmt, barrier);
  const Loop *loop = loop_within(barrier->block, within);
  if (!loop || !is_cut(walk, barrier) ||
      !was_crossed(walk, loop, within, stmt, fresh))
    return expr_bool(walk->task, true);
  return is_not_in_first(walk->task, barrier, within);
}

// The way led past these barriers, so they were not executed: their guards
// are false.
static Expr *way_condition(const Walk *walk, const Stmt *stmt,
                           const Relation *relations) {
  Task *task = walk->task;
  Expr *condition = expr_bool(task, true);
  const Loop *fresh = fresh_loop(walk, stmt->block, relations);
  for (size_t i = 0; i < walk->kernel->stmts.count; i++) {
    const Stmt *barrier = walk->kernel->stmts.at[i];
    if (was_passed(walk, barrier, stmt, fresh))
      condition = expr_and(task, condition, expr_not(task, barrier->guard));
    condition = expr_and(task, condition,
                         crossing_condition(walk, barrier, stmt, fresh));
  }
  return condition;
}

static bool was_crossed_before(const Walk *walk, const Stmt *barrier,
                               const Loop *loop, RelationKind kind) {
  if (!is_cut(walk, barrier) || !loop_contains(loop, barrier->block) ||
      barrier->block->loop == loop)
    return false;
  return kind == RELATION_FIRST ||
         is_behind_since(walk, loop_within(barrier->block, loop), loop);
}

// The same of the part of an iteration before that lies behind the barrier,
// or of all of it where the loop was entered on the way.
static Expr *before_condition(const Walk *walk, const Loop *loop,
                              RelationKind kind) {
  Task *task = walk->task;
  Expr *condition = expr_bool(task, true);
  for (size_t i = 0; i < walk->kernel->stmts.count; i++) {
    const Stmt *barrier = walk->kernel->stmts.at[i];
    bool was_passed =
        barrier->block->loop == loop && is_cut(walk, barrier) &&
        (kind == RELATION_FIRST || barrier->number > walk->since->number);
    if (was_passed)
      condition = expr_and(task, condition, expr_not(task, barrier->guard));
    if (was_crossed_before(walk, barrier, loop, kind))
      condition =
          expr_and(task, condition, is_not_in_first(task, barrier, loop));
  }
  return condition;
}

// One loop is enough: few ways go round two of them.
static void note_iteration_before(const Walk *walk, AccessPlace *place) {
  for (size_t i = 0; i < walk->kernel->loops.count && !place->round; i++) {
    const Loop *loop = walk->kernel->loops.at[i];
    Relation relation = place->relations[loop->index];
    if (relation.kind == RELATION_FREE || relation.count != 1)
      continue;
    Expr *condition = before_condition(walk, loop, relation.kind);
    if (expr_is_true(condition))
      continue;
    place->round = loop;
    place->before = condition;
  }
}

// The statements of a block from `first` on, up to a barrier that counts.
static void pass(Walk *walk, const BasicBlock *block, size_t first,
                 Relation *relations) {
  for (size_t i = first; i < block->stmts.count; i++) {
    Stmt *stmt = block->stmts.at[i];
    if (is_cut(walk, stmt))
      return;
    AccessPlace place = {.since = walk->since,
                         .relations = relations,
                         .condition = way_condition(walk, stmt, relations)};
    note_iteration_before(walk, &place);
    push(&walk->task->arena, &walk->places[stmt->number], place);
  }
  for (size_t i = 0; i < block->out.count; i++)
    follow(walk, block->out.at[i], relations);
}

static bool is_copy(const Stmt *stmt) {
  return stmt->kind == STMT_ACCESS && stmt->access.event;
}

// Where walks begin, beside the entry: at barriers, or at copies, which are
// part of what they begin.
static bool is_start(const Walk *walk, const Stmt *stmt) {
  return walk->reach == REACH_EVENT
             ? is_copy(stmt)
             : barrier_orders(stmt, walk->reach, walk->space);
}

static void walk_from(Walk *walk, Stmt *since) {
  const Kernel *kernel = walk->kernel;
  walk->since = since;
  walk->seen = arena_alloc(&walk->task->arena,
                           kernel->blocks.count * sizeof *walk->seen);
  Relation *relations = copy_relations(walk, NULL);
  if (!since) {
    visit(walk, kernel->blocks.at[0], relations);
  } else {
    for (const Loop *loop = since->block->loop; loop; loop = loop->parent)
      set_relation(&relations[loop->index], RELATION_SAME);
    size_t at = 0;
    while (since->block->stmts.at[at] != since)
      at++;
    pass(walk, since->block, at + !is_copy(since), relations);
  }
  while (walk->work.count) {
    State state = walk->work.at[--walk->work.count];
    task_check_time(walk->task, kernel->loc);
    pass(walk, state.block, 0, state.relations);
  }
}

bool *loops_with_barrier(Task *task, const Kernel *kernel, Reach reach,
                         Space space) {
  bool *has = arena_alloc(&task->arena, kernel->loops.count + 1);
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (barrier_orders(stmt, reach, space))
      for (const Loop *loop = stmt->block->loop; loop; loop = loop->parent)
        has[loop->index] = true;
  }
  return has;
}

static Walk walk_new(Task *task, const Kernel *kernel, Reach reach,
                     Space space) {
  Walk walk = {.task = task, .kernel = kernel, .reach = reach, .space = space};
  walk.places = arena_alloc(&task->arena,
                            (kernel->stmts.count + 1) * sizeof *walk.places);
  walk.cuts = loops_with_barrier(task, kernel, reach, space);
  return walk;
}

AccessPlaces *interval_places(Task *task, const Kernel *kernel, Reach reach,
                              Space space) {
  Walk walk = walk_new(task, kernel, reach, space);
  if (reach != REACH_EVENT)
    walk_from(&walk, NULL);
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (is_start(&walk, kernel->stmts.at[i]))
      walk_from(&walk, kernel->stmts.at[i]);
  return walk.places;
}

AccessPlaces interval_since(Task *task, const Kernel *kernel, Reach reach,
                            Space space, Stmt *access, const Stmt *stmt) {
  Walk walk = walk_new(task, kernel, reach, space);
  walk_from(&walk, access);
  return walk.places[stmt->number];
}

bool places_share_interval(const AccessPlaces *a, const AccessPlaces *b) {
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < b->count; k++)
      if (a->at[i].since == b->at[k].since)
        return true;
  return false;
}
