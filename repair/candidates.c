// Which changes may mend what goes wrong, the cheapest first.
//
// A race needs a barrier that both threads pass between their accesses.  So a
// barrier may stand between the two in the text; or anywhere in a loop around
// both, if the second access is of a later iteration.  An access in a function
// also stands where that is called.  Cheap is what lies outside of branches and
// loops, then what is close to the later access.  The costs only order what is
// tried: what helps the prover says.
//
// Between threads of different blocks it has to be a barrier of the grid, where
// the kernel may have one (grid.c).
//
// A plain update x += e may become an atomic.  A barrier that some threads do
// not reach may move out of its branch or loop, or go.

#include "repair/repair.h"

#include <string.h>

enum {
  COST_NESTED = 1000, // deeper than both accesses
  COST_CARRIED = 2000,
  COST_OUTSIDE = 5000, // mends nothing
  COST_MISSED = 500,   // a failure that it does not mend
  COST_BRANCH = 100,
  COST_LOOP = 20,
  COST_DROP = 2000,
  COST_BOTH = 10,
  COST_ATOMIC = 1500,
  COST_GRID = 300, // all blocks wait
  MOST_WARP = 3,   // places of __syncwarp to be tried
};

typedef Vec(size_t) Positions;

typedef struct Making {
  Arena *arena;
  const Places *places;
  const Failures *failures;
  const bool *reached;
  Candidates *candidates;
} Making;

bool failure_same(const Failure *a, const Failure *b) {
  bool same = a->kind == b->kind;
  for (unsigned end = 0; same && end < 2; end++)
    same = a->is_placed[end] == b->is_placed[end] &&
           a->file[end] == b->file[end] && a->at[end] == b->at[end];
  return same;
}

// --------------------------------------------------------------- anchors ---

static bool is_in(const Places *places, size_t body, size_t file, size_t at) {
  const Nest *nest = &places->nests.at[places->bodies.at[body].nest];
  return nest->file == file && nest->begin <= at && at < nest->end;
}

// Comes who executes the body to the place?
static bool comes_to(const Places *places, size_t body, size_t file, size_t at,
                     bool *seen) {
  if (seen[body])
    return false;
  seen[body] = true;
  if (is_in(places, body, file, at))
    return true;
  size_t function = places->bodies.at[body].nest;
  for (size_t i = 0; i < places->calls.count; i++)
    if (places_function(places, places->calls.at[i].nest) == function &&
        comes_to(places, places->calls.at[i].body, file, at, seen))
      return true;
  return false;
}

// Where in the body it is on its way to the end of a failure.
static Positions anchors(const Making *making, size_t body,
                         const Failure *failure, unsigned end) {
  const Places *places = making->places;
  size_t file = failure->file[end], at = failure->at[end];
  Positions found = {0};
  if (!failure->is_placed[end])
    return found;
  if (is_in(places, body, file, at))
    push(making->arena, &found, at);
  for (size_t i = 0; i < places->calls.count; i++) {
    const PlacedCall *call = &places->calls.at[i];
    bool *seen = arena_alloc(making->arena, places->bodies.count);
    if (places_function(places, call->nest) == places->bodies.at[body].nest &&
        comes_to(places, call->body, file, at, seen))
      push(making->arena, &found, call->at);
  }
  return found;
}

// ----------------------------------------------------------------- costs ---

static unsigned depth_cost(const Places *places, size_t nest) {
  unsigned cost = 0;
  for (; places->nests.at[nest].outer != nest;
       nest = places->nests.at[nest].outer) {
    NestKind kind = places->nests.at[nest].kind;
    cost += kind == NEST_BRANCH ? COST_BRANCH : 0;
    cost += kind == NEST_LOOP ? COST_LOOP : 0;
  }
  return cost;
}

// The innermost one around both; of a loop with `only_loops`, and then NULL if
// there is none.
static const Nest *around_both(const Places *places, size_t function, size_t a,
                               size_t b, bool only_loops) {
  size_t nest = places_innermost(places, function, a);
  for (;; nest = places->nests.at[nest].outer) {
    const Nest *one = &places->nests.at[nest];
    bool is_wanted = !only_loops || one->kind == NEST_LOOP;
    if (is_wanted && one->begin <= b && b < one->end)
      return one;
    if (one->outer == nest)
      return NULL;
  }
}

// Places to put something that lie between.
static unsigned distance(const Places *places, size_t function, size_t a,
                         size_t b) {
  unsigned count = 0;
  for (size_t i = 0; i < places->gaps.count; i++) {
    size_t at = gap_at(&places->gaps.at[i]);
    count += ((a < at && at < b) || (b < at && at < a)) &&
             places_function(places, places->gaps.at[i].nest) == function;
  }
  return count < COST_LOOP ? count : COST_LOOP - 1;
}

static unsigned cost_between(const Places *places, const Gap *gap, size_t a,
                             size_t b) {
  size_t function = places_function(places, gap->nest), at = gap_at(gap);
  size_t first = a < b ? a : b, last = a < b ? b : a;
  unsigned depth = depth_cost(places, gap->nest);
  const Nest *both = around_both(places, function, a, b, false);
  const Nest *loop = around_both(places, function, a, b, true);
  if (first < at && at <= last && both) {
    bool is_level = &places->nests.at[gap->nest] == both;
    return (is_level ? 0 : COST_NESTED) + depth +
           distance(places, function, at, last);
  }
  if (loop && loop->begin <= at && at < loop->end)
    return COST_CARRIED + depth + distance(places, function, at, loop->end);
  return COST_OUTSIDE;
}

static unsigned cost_for(const Making *making, const Gap *gap,
                         const Failure *failure) {
  const Places *places = making->places;
  unsigned best = COST_OUTSIDE;
  for (size_t i = 0; i < places->bodies.count; i++) {
    if (places->bodies.at[i].nest != places_function(places, gap->nest))
      continue;
    Positions a = anchors(making, i, failure, 0);
    Positions b = anchors(making, i, failure, 1);
    for (size_t j = 0; j < a.count; j++)
      for (size_t k = 0; k < b.count; k++) {
        unsigned cost = cost_between(places, gap, a.at[j], b.at[k]);
        best = cost < best ? cost : best;
      }
  }
  return best;
}

// The cheapest of all failures, and more for those that it does not mend.
static unsigned gap_cost(const Making *making, const Gap *gap) {
  unsigned best = COST_OUTSIDE, missed = 0;
  for (size_t i = 0; i < making->failures->count; i++) {
    const Failure *failure = &making->failures->at[i];
    if (failure->kind != FAILURE_RACE)
      continue;
    unsigned cost = cost_for(making, gap, failure);
    best = cost < best ? cost : best;
    missed += cost == COST_OUTSIDE;
  }
  return best == COST_OUTSIDE ? best : best + missed * COST_MISSED;
}

// -------------------------------------------------------------- barriers ---

static Candidate *add(const Making *making, unsigned cost, size_t file,
                      size_t at, const char *what) {
  push(making->arena, making->candidates,
       ((Candidate){.cost = cost, .file = file, .at = at, .what = what}));
  return &making->candidates->at[making->candidates->count - 1];
}

static Candidate *add_insertion(const Making *making, const Gap *gap,
                                unsigned cost, const char *statement) {
  const Places *places = making->places;
  Candidate *candidate =
      add(making, cost, places->nests.at[gap->nest].file, gap_at(gap),
          arena_printf(making->arena, "insert '%s'", statement));
  gap_edit(making->arena, places, gap, statement, &candidate->edits);
  return candidate;
}

static const char *fence_flags(const Failures *failures) {
  bool is_global = false, is_local = false;
  for (size_t i = 0; i < failures->count; i++) {
    is_global |= failures->at[i].is_global;
    is_local |= !failures->at[i].is_global;
  }
  if (is_global && is_local)
    return "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE";
  return is_global ? "CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE";
}

static const char *barrier_text(const Making *making) {
  if (!making->places->is_opencl)
    return "__syncthreads();";
  return arena_printf(making->arena, "barrier(%s);",
                      fence_flags(making->failures));
}

// A barrier of a block orders no blocks.
static bool has_race_of_block(const Failures *failures) {
  for (size_t i = 0; i < failures->count; i++)
    if (failures->at[i].kind == FAILURE_RACE &&
        !failures->at[i].is_between_blocks)
      return true;
  return false;
}

// Of two places one race is told, and others between them may be of blocks.
static bool may_race_between_blocks(const Failures *failures) {
  for (size_t i = 0; i < failures->count; i++)
    if (failures->at[i].kind == FAILURE_RACE && failures->at[i].is_global)
      return true;
  return false;
}

static bool are_in_warps(const Making *making) {
  bool are = !making->places->is_opencl && !making->places->is_hip;
  for (size_t i = 0; are && i < making->failures->count; i++)
    are = making->failures->at[i].is_in_warp;
  return are;
}

// Is it in one of these bodies, and may be changed?
static bool is_usable(const Making *making, const Gap *gap,
                      const bool *bodies) {
  size_t function = places_function(making->places, gap->nest);
  for (size_t i = 0; i < making->places->bodies.count; i++)
    if (making->places->bodies.at[i].nest == function)
      return bodies[i] && making->places->bodies.at[i].is_users;
  return false;
}

static void sort(Candidates *candidates) {
  for (size_t i = 1; i < candidates->count; i++)
    for (size_t j = i;
         j > 0 && candidates->at[j].cost < candidates->at[j - 1].cost; j--) {
      Candidate one = candidates->at[j];
      candidates->at[j] = candidates->at[j - 1];
      candidates->at[j - 1] = one;
    }
}

static void add_barriers(const Making *making, const char *statement,
                         size_t most) {
  Candidates found = {0};
  Making here = *making;
  here.candidates = &found;
  for (size_t i = 0; i < making->places->gaps.count; i++) {
    const Gap *gap = &making->places->gaps.at[i];
    unsigned cost = is_usable(making, gap, making->reached)
                        ? gap_cost(making, gap)
                        : (unsigned)COST_OUTSIDE;
    if (cost != COST_OUTSIDE)
      add_insertion(&here, gap, cost, statement);
  }
  sort(&found);
  for (size_t i = 0; i < found.count && i < most; i++)
    push(making->arena, making->candidates, found.at[i]);
}

static void add_grid_barriers(const Making *making, const char *kernel) {
  const Places *places = making->places;
  const bool *bodies = grid_bodies(making->arena, places, kernel);
  for (size_t i = 0; i < places->gaps.count; i++) {
    const Gap *gap = &places->gaps.at[i];
    unsigned cost = is_usable(making, gap, bodies) ? gap_cost(making, gap)
                                                   : (unsigned)COST_OUTSIDE;
    if (cost == COST_OUTSIDE)
      continue;
    Candidate *candidate =
        add_insertion(making, gap, cost + COST_GRID,
                      grid_statement(making->arena, places, gap));
    candidate->is_of_grid = true;
    if (!places->has_groups)
      grid_include(making->arena, places, candidate->file, &candidate->edits);
  }
}

static void add_waits(const Making *making, const char *kernel) {
  const Failures *failures = making->failures;
  if (has_race_of_block(failures) && are_in_warps(making))
    add_barriers(making, "__syncwarp();", MOST_WARP);
  if (has_race_of_block(failures))
    add_barriers(making, barrier_text(making), SIZE_MAX);
  if (may_race_between_blocks(failures) && !making->places->is_opencl)
    add_grid_barriers(making, kernel);
}

// --------------------------------------------------------------- actions ---

static const Action *action_at(const Places *places, ActionKind kind,
                               const Failure *failure, unsigned end) {
  for (size_t i = 0; failure->is_placed[end] && i < places->actions.count;
       i++) {
    const Action *action = &places->actions.at[i];
    if (action->kind == kind &&
        places->nests.at[action->nest].file == failure->file[end] &&
        action->begin <= failure->at[end] && failure->at[end] < action->end)
      return action;
  }
  return NULL;
}

static void add_atomic(const Making *making, const Action *update,
                       const Action *other) {
  const Places *places = making->places;
  size_t file = places->nests.at[update->nest].file;
  Candidate *candidate =
      add(making, update == other ? 0 : COST_ATOMIC, file, update->begin,
          arena_printf(making->arena, "write '%s;'", update->instead));
  action_replace(making->arena, places, update, &candidate->edits);
  if (other && other != update)
    action_replace(making->arena, places, other, &candidate->edits);
}

static void add_atomics(const Making *making, const Failure *failure) {
  const Action *first = action_at(making->places, ACTION_UPDATE, failure, 0);
  const Action *second = action_at(making->places, ACTION_UPDATE, failure, 1);
  if (first)
    add_atomic(making, first, second);
  else if (second)
    add_atomic(making, second, NULL);
}

// ------------------------------------------------------------ divergence ---

static void drop_those_of(const Making *making, const Action *barrier,
                          const Nest *whole, Edits *edits) {
  const Places *places = making->places;
  for (size_t i = 0; i < places->actions.count; i++) {
    const Action *action = &places->actions.at[i];
    bool is_there = places->nests.at[action->nest].file == whole->file &&
                    action->begin >= whole->whole_begin &&
                    action->end <= whole->whole_end;
    if (action == barrier || (is_there && action->kind == ACTION_BARRIER &&
                              !strcmp(action->name, barrier->name)))
      action_drop(making->arena, places, action, edits);
  }
}

// The last gap around the nest's statement before it, or the first behind it.
static const Gap *gap_beside(const Places *places, const Nest *whole,
                             bool is_behind) {
  const Gap *best = NULL;
  for (size_t i = 0; i < places->gaps.count; i++) {
    const Gap *gap = &places->gaps.at[i];
    size_t at = gap_at(gap);
    if (gap->nest != whole->outer)
      continue;
    bool is_better =
        is_behind ? at >= whole->whole_end && (!best || at < gap_at(best))
                  : at <= whole->whole_begin && (!best || at > gap_at(best));
    if (is_better)
      best = gap;
  }
  return best;
}

static const char *text_of(const Making *making, const Action *action) {
  const Places *places = making->places;
  size_t file = places->nests.at[action->nest].file;
  return arena_printf(making->arena, "%.*s", (int)(action->end - action->begin),
                      places->texts.at[file].text + action->begin);
}

static void add_move(const Making *making, const Action *barrier,
                     const Nest *whole, bool is_behind, bool are_all,
                     unsigned cost) {
  const Places *places = making->places;
  const Gap *gap = gap_beside(places, whole, is_behind);
  const char *text = text_of(making, barrier);
  const char *construct = whole->kind == NEST_LOOP ? "loop" : "branch";
  if (!gap)
    return;
  Candidate *candidate =
      add(making, cost, whole->file, barrier->begin,
          arena_printf(making->arena, "move '%s' %s the %s", text,
                       is_behind ? "behind" : "before", construct));
  if (are_all)
    drop_those_of(making, barrier, whole, &candidate->edits);
  else
    action_drop(making->arena, places, barrier, &candidate->edits);
  gap_edit(making->arena, places, gap, text, &candidate->edits);
}

static void add_moves(const Making *making, const Failure *failure) {
  const Places *places = making->places;
  const Action *barrier = action_at(places, ACTION_BARRIER, failure, 0);
  if (!barrier)
    return;
  unsigned level = 0;
  for (size_t nest = barrier->nest; places->nests.at[nest].outer != nest;
       nest = places->nests.at[nest].outer) {
    const Nest *whole = &places->nests.at[nest];
    if (whole->kind != NEST_BRANCH && whole->kind != NEST_LOOP)
      continue;
    unsigned cost = level++ * COST_BRANCH;
    for (int is_behind = 1; is_behind >= 0; is_behind--) {
      add_move(making, barrier, whole, is_behind, false, cost);
      add_move(making, barrier, whole, is_behind, true, cost + COST_BOTH);
    }
  }
  Candidate *candidate = add(
      making, COST_DROP, places->nests.at[barrier->nest].file, barrier->begin,
      arena_printf(making->arena, "remove '%s'", text_of(making, barrier)));
  action_drop(making->arena, places, barrier, &candidate->edits);
}

// ------------------------------------------------------------------- all ---

static bool is_there(const Candidates *candidates, size_t last) {
  const Edits *edits = &candidates->at[last].edits;
  for (size_t i = 0; i < last; i++) {
    const Edits *other = &candidates->at[i].edits;
    bool same = edits->count == other->count;
    for (size_t j = 0; same && j < edits->count; j++)
      same = edits->at[j].file == other->at[j].file &&
             edits->at[j].begin == other->at[j].begin &&
             edits->at[j].end == other->at[j].end &&
             !strcmp(edits->at[j].text, other->at[j].text);
    if (same)
      return true;
  }
  return false;
}

static Candidates without_doubles(Arena *arena, const Candidates *all) {
  Candidates kept = {0};
  for (size_t i = 0; i < all->count; i++)
    if (!is_there(all, i))
      push(arena, &kept, all->at[i]);
  return kept;
}

Candidates candidates_for(Arena *arena, const Places *places,
                          const char *kernel, const Failures *failures) {
  Candidates candidates = {0};
  Making making = {.arena = arena,
                   .places = places,
                   .failures = failures,
                   .reached = places_reached(arena, places, kernel),
                   .candidates = &candidates};
  if (!making.reached)
    return candidates;
  for (size_t i = 0; i < failures->count; i++)
    if (failures->at[i].kind == FAILURE_RACE)
      add_atomics(&making, &failures->at[i]);
    else if (failures->at[i].kind == FAILURE_DIVERGENCE)
      add_moves(&making, &failures->at[i]);
  add_waits(&making, kernel);
  sort(&candidates);
  return without_doubles(arena, &candidates);
}
