// Every schedule of a small program, one state at a time.
//
// A state is how far each lane is, how many barrier commands each warp has
// met, and how each barrier is filled.  States are kept in a hash set, so each
// is looked at once.  Only lanes that access something are followed; the
// others do nothing that anyone could see, unless lanes exit: then what those
// did may be known to one that lives on, so those of partial bar.warp.sync and
// one of the others are followed.  Of several blocks all are, for a block has
// ended when all of its lanes have.
//
// Two accesses are unordered if a state is reached in which only the first is
// done, and one in which only the second is.  Programs are well-synchronised
// if no state is stuck or wrong, and each command always meets the same
// generation.

#include "test/fuzz/search.h"

#include <assert.h>
#include <string.h>

bool is_bulk(const Command *command) {
  return command->kind == COMMAND_BULK_READ ||
         command->kind == COMMAND_BULK_WRITE;
}

static bool is_access(const Command *command) {
  return command->kind == COMMAND_READ ||
         command->kind == COMMAND_STRONG_READ ||
         command->kind == COMMAND_WRITE || command->kind == COMMAND_ATOMIC ||
         command->kind == COMMAND_COPY || is_bulk(command);
}

static bool is_barrier(const Command *command) {
  return command->kind == COMMAND_SYNC || command->kind == COMMAND_REDUCE ||
         command->kind == COMMAND_ARRIVE;
}

static const Command *command_at(const Search *search, unsigned warp,
                                 uint32_t at) {
  return &search->programs->warps[warp].at[at];
}

// ---------------------------------------------------- what never changes ---

static uint32_t address_of(const Programs *programs, const Command *command,
                           unsigned lane) {
  return command->is_scattered
             ? programs->addresses.at[command->address + lane] +
                   (uint32_t)command->stride
             : command->address + (uint32_t)((int)lane * command->stride);
}

unsigned block_of(const Search *search, unsigned lane) {
  return search->lanes[lane].warp / programs_block_warps(search->programs);
}

unsigned width_of(const Command *access) {
  return is_bulk(access) ? access->extent : access->bytes;
}

// A lane exits; `end` is the last bulk copy that it has waited for.
static void check_bulks(Search *search, const SearchLane *lane, uint32_t end) {
  const Commands *commands = &search->programs->warps[lane->warp];
  for (unsigned i = 0; i < lane->count; i++)
    if (commands->at[lane->items[i]].kind == COMMAND_BULK_READ &&
        lane->items[i] >= end)
      search_wrong(search, "ends before its bulk copy");
}

static void add_access(Search *search, unsigned index, const Command *command) {
  const SearchLane *lane = &search->lanes[index];
  assert(search->access_count < MOST_ACCESSES);
  search->accesses[search->access_count++] = (SearchAccess){
      .lane = index,
      .item = lane->count,
      .command = command,
      .address = address_of(search->programs, command, lane->lane)};
}

static void follow_lane(Search *search, unsigned warp, unsigned number) {
  unsigned index = search->lane_count++;
  assert(index < MOST_LANES);
  SearchLane *lane = &search->lanes[index];
  *lane = (SearchLane){.warp = warp, .lane = number};
  const Commands *commands = &search->programs->warps[warp];
  uint32_t bulks_done = 0;
  for (uint32_t i = 0; i < commands->count; i++) {
    const Command *command = &commands->at[i];
    bool takes_part = is_barrier(command) || command->lanes >> number & 1;
    if (!takes_part)
      continue;
    if (command->kind == COMMAND_BULKS_DONE && bulks_done < command->before)
      bulks_done = command->before;
    if (command->kind == COMMAND_EXIT) {
      check_bulks(search, lane, bulks_done);
      return;
    }
    if (is_access(command))
      add_access(search, index, command);
    if (is_object_item(command))
      add_object(search, command);
    if (command->kind == COMMAND_COPY_ARRIVE ||
        command->kind == COMMAND_BULK_COMPLETE)
      add_landing(search, index, lane->count);
    if (command->kind == COMMAND_MBARRIER_TRY)
      add_try(search, index, lane->count);
    assert(lane->count < MOST_ITEMS);
    lane->items[lane->count++] = i;
    if (command->kind == COMMAND_MBARRIER_WAIT)
      link_wait(search, index, lane->count - 1);
  }
}

static uint32_t lanes_with_item(const Search *search, unsigned warp,
                                uint32_t command) {
  uint32_t lanes = 0;
  for (unsigned i = 0; i < search->lane_count; i++)
    for (unsigned k = 0; k < search->lanes[i].count; k++)
      if (search->lanes[i].warp == warp && search->lanes[i].items[k] == command)
        lanes |= (uint32_t)1 << i;
  return lanes;
}

static bool has_kind(const Commands *commands, CommandKind from,
                     CommandKind to) {
  for (size_t i = 0; i < commands->count; i++)
    if (commands->at[i].kind >= from && commands->at[i].kind <= to)
      return true;
  return false;
}

static bool has_objects(const Programs *programs) {
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    if (has_kind(&programs->warps[warp], COMMAND_MBARRIER_INIT,
                 COMMAND_COPY_ARRIVE))
      return true;
  return false;
}

// The lanes to follow.
static uint32_t used_lanes(const Search *search, unsigned warp) {
  const Commands *commands = &search->programs->warps[warp];
  uint32_t used = 0, live = warp_lanes(search->programs, warp);
  bool exits = has_kind(commands, COMMAND_EXIT, COMMAND_EXIT);
  bool hands_on = exits || has_objects(search->programs);
  for (size_t i = 0; i < commands->count; i++) {
    const Command *command = &commands->at[i];
    bool is_partial =
        command->kind == COMMAND_WARP_SYNC && command->lanes != UINT32_MAX;
    if (is_access(command) || is_object_item(command) ||
        command->kind == COMMAND_COPIES_DONE ||
        command->kind == COMMAND_BULKS_DONE ||
        command->kind == COMMAND_PROXY_FENCE || (hands_on && is_partial))
      used |= command->lanes;
  }
  if (exits)
    used |= (uint32_t)1 << (31 - __builtin_clz(live));
  if (programs_blocks(search->programs) > 1)
    used = live;
  return used & live;
}

static void prepare_warp(Search *search, unsigned warp) {
  const Commands *commands = &search->programs->warps[warp];
  uint32_t live = warp_lanes(search->programs, warp);
  for (uint32_t left = used_lanes(search, warp); left; left &= left - 1)
    follow_lane(search, warp, (unsigned)__builtin_ctz(left));
  for (uint32_t i = 0; i < commands->count && live; i++) {
    if (commands->at[i].kind == COMMAND_EXIT)
      live &= ~commands->at[i].lanes;
    if (!is_barrier(&commands->at[i]))
      continue;
    assert(search->op_count[warp] < MOST_OPS);
    search->ops[warp][search->op_count[warp]++] =
        (SearchOp){i, lanes_with_item(search, warp, i), -1};
  }
}

// ------------------------------------------------------------ one state ---

static bool is_at(const Search *search, const State *state, unsigned lane,
                  uint32_t command) {
  const SearchLane *at = &search->lanes[lane];
  return state->lanes[lane] < at->count &&
         at->items[state->lanes[lane]] == command;
}

static bool all_at(const Search *search, const State *state, uint32_t lanes,
                   uint32_t command) {
  for (; lanes; lanes &= lanes - 1)
    if (!is_at(search, state, (unsigned)__builtin_ctz(lanes), command))
      return false;
  return true;
}

static bool all_behind(const Search *search, const State *state, uint32_t lanes,
                       uint32_t command) {
  for (; lanes; lanes &= lanes - 1) {
    const SearchLane *lane = &search->lanes[__builtin_ctz(lanes)];
    unsigned at = state->lanes[__builtin_ctz(lanes)];
    if (at < lane->count && lane->items[at] <= command)
      return false;
  }
  return true;
}

static void advance(State *state, uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1)
    state->lanes[__builtin_ctz(lanes)]++;
}

static bool waits(const State *state, unsigned warp) {
  for (unsigned i = 0; i < MOST_NAMES; i++)
    if (state->names[i].waiting >> warp & 1)
      return true;
  return false;
}

void search_wrong(Search *search, const char *what) {
  if (!search->outcome->wrong)
    search->outcome->wrong = what;
}

static void note_generation(Search *search, SearchOp *op, int generation) {
  if (op->generation >= 0 && op->generation != generation)
    search_wrong(search, "the generations differ");
  op->generation = generation;
}

static void complete(Search *search, State *state, Filling *name) {
  if (!name->waiting)
    search_wrong(search, "all arrive");
  for (unsigned warp = 0; warp < MOST_SMALL; warp++)
    if (name->waiting >> warp & 1)
      advance(state, search->ops[warp][state->met[warp] - 1].lanes);
  *name = (Filling){.generation = (uint8_t)(name->generation + 1)};
}

// The warp has met its next barrier command.
static void meet(Search *search, State *state, unsigned warp) {
  SearchOp *op = &search->ops[warp][state->met[warp]++];
  const Command *command = command_at(search, warp, op->command);
  assert(command->barrier < MOST_NAMES);
  Filling *name = &state->names[command->barrier];
  bool reduces = command->kind == COMMAND_REDUCE;
  note_generation(search, op, name->generation);
  if (name->met && name->expected != command->threads)
    search_wrong(search, "the counts differ");
  if (name->met && name->reduces != reduces)
    search_wrong(search, "bar.red is mixed");
  if ((name->arrived | name->waiting) >> warp & 1)
    search_wrong(search, "a warp comes twice");
  name->expected = (uint16_t)command->threads;
  name->reduces = reduces;
  name->met++;
  if (command->kind == COMMAND_ARRIVE)
    name->arrived |= (uint8_t)(1 << warp);
  else
    name->waiting |= (uint8_t)(1 << warp);
  if (name->met * WARP > name->expected)
    search_wrong(search, "too many");
  if (name->met * WARP >= name->expected)
    complete(search, state, name);
}

static const SearchOp *next_op(const Search *search, const State *state,
                               unsigned warp) {
  unsigned met = state->met[warp];
  return met < search->op_count[warp] && !waits(state, warp)
             ? &search->ops[warp][met]
             : NULL;
}

// Arrivals that the last of the lanes has just made.
static void settle(Search *search, State *state, unsigned warp) {
  const SearchOp *op;
  while ((op = next_op(search, state, warp)) && op->lanes &&
         command_at(search, warp, op->command)->kind == COMMAND_ARRIVE &&
         all_behind(search, state, op->lanes, op->command))
    meet(search, state, warp);
}

// -------------------------------------------------------- all that follow ---

static size_t hash_of(const State *state) {
  const unsigned char *at = (const unsigned char *)state;
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < sizeof *state; i++)
    hash = (hash ^ at[i]) * 1099511628211u;
  return (size_t)(hash ^ hash >> 32);
}

// Where the state is, or belongs.
static size_t find_slot(const Search *search, const State *state) {
  size_t mask = search->room - 1;
  size_t i = hash_of(state) & mask;
  while (search->is_seen[i] && memcmp(&search->seen[i], state, sizeof *state))
    i = (i + 1) & mask;
  return i;
}

static void grow(Search *search) {
  Search old = *search;
  search->room = old.room ? 4 * old.room : FIRST_ROOM;
  search->seen = arena_alloc(search->arena, search->room * sizeof(State));
  search->is_seen = arena_alloc(search->arena, search->room * sizeof(bool));
  for (size_t i = 0; i < old.room; i++) {
    if (!old.is_seen[i])
      continue;
    size_t slot = find_slot(search, &old.seen[i]);
    search->seen[slot] = old.seen[i];
    search->is_seen[slot] = true;
  }
}

static void visit(Search *search, const State *state) {
  if (2 * search->outcome->states >= search->room)
    grow(search);
  size_t slot = find_slot(search, state);
  if (search->is_seen[slot])
    return;
  if (++search->outcome->states > MOST_STATES) {
    search->outcome->is_too_large = true;
    return;
  }
  search->seen[slot] = *state;
  search->is_seen[slot] = true;
  push(search->arena, &search->stack, *state);
}

// Those that move together with this lane: itself, or in lock step all that
// are as far, if none is behind.
static uint32_t movers(const Search *search, const State *state, unsigned lane,
                       uint32_t command) {
  uint32_t together = 0;
  if (!search->programs->lock_step)
    return (uint32_t)1 << lane;
  for (unsigned i = 0; i < search->lane_count; i++) {
    if (search->lanes[i].warp != search->lanes[lane].warp)
      continue;
    if (!all_behind(search, state, (uint32_t)1 << i, command))
      together |= (uint32_t)1 << i;
  }
  return all_at(search, state, together, command) ? together : 0;
}

static void move(Search *search, const State *state, uint32_t moving,
                 const Command *command, bool is_over) {
  State next = *state;
  for (uint32_t left = moving; left; left &= left - 1) {
    unsigned mover = (unsigned)__builtin_ctz(left);
    if (is_object_item(command))
      object_move(search, &next, mover, is_over);
    if (is_access(command))
      object_keep_off(search, &next, mover);
  }
  advance(&next, moving);
  settle(search, &next, search->lanes[__builtin_ctz(moving)].warp);
  visit(search, &next);
}

static bool all_pass(const Search *search, const State *state,
                     uint32_t moving) {
  for (uint32_t left = moving; left; left &= left - 1)
    if (!object_lets_pass(search, state, (unsigned)__builtin_ctz(left)))
      return false;
  return true;
}

static bool move_lane(Search *search, const State *state, unsigned index) {
  const SearchLane *lane = &search->lanes[index];
  if (state->lanes[index] == lane->count)
    return false;
  uint32_t at = lane->items[state->lanes[index]];
  const Command *command = command_at(search, lane->warp, at);
  if (is_barrier(command) && command->kind != COMMAND_ARRIVE)
    return false;
  uint32_t moving = movers(search, state, index, at);
  if (command->kind == COMMAND_WARP_SYNC) {
    moving = lanes_with_item(search, lane->warp, at);
    if (!all_at(search, state, moving, at))
      return false;
  }
  if (!moving || !all_pass(search, state, moving))
    return false;
  move(search, state, moving, command, false);
  if (command->kind == COMMAND_MBARRIER_TRY &&
      object_is_over(search, state, index))
    move(search, state, moving, command, true);
  return true;
}

// In lock step also those that have exited since are that far.
static bool none_behind(const Search *search, const State *state, unsigned warp,
                        uint32_t command) {
  for (unsigned i = 0; i < search->lane_count; i++)
    if (search->lanes[i].warp == warp && !is_at(search, state, i, command) &&
        !all_behind(search, state, (uint32_t)1 << i, command))
      return false;
  return true;
}

static bool move_warp(Search *search, const State *state, unsigned warp) {
  const SearchOp *op = next_op(search, state, warp);
  if (!op || !all_at(search, state, op->lanes, op->command))
    return false;
  if (search->programs->lock_step &&
      !none_behind(search, state, warp, op->command))
    return false;
  if (op->lanes &&
      command_at(search, warp, op->command)->kind == COMMAND_ARRIVE)
    return false; // the lanes do that
  State next = *state;
  meet(search, &next, warp);
  for (unsigned i = 0; i < MOST_SMALL; i++)
    settle(search, &next, i);
  visit(search, &next);
  return true;
}

static bool land(Search *search, const State *state, unsigned landing) {
  if (!(state->landings >> landing & 1))
    return false;
  State next = *state;
  object_land(search, &next, landing);
  visit(search, &next);
  return true;
}

static bool is_done(const Search *search, const State *state) {
  for (unsigned i = 0; i < search->lane_count; i++)
    if (state->lanes[i] < search->lanes[i].count)
      return false;
  for (unsigned warp = 0; warp < programs_warps(search->programs); warp++)
    if (state->met[warp] < search->op_count[warp] || waits(state, warp))
      return false;
  return true;
}

static void note_order(Search *search, const State *state) {
  uint64_t done = 0;
  for (unsigned i = 0; i < search->access_count; i++)
    if (state->lanes[search->accesses[i].lane] > search->accesses[i].item)
      done |= (uint64_t)1 << i;
  for (uint64_t left = done; left; left &= left - 1)
    search->accesses[__builtin_ctzll(left)].before |= ~done;
}

static void expand(Search *search, const State *state) {
  bool moves = false;
  note_order(search, state);
  for (unsigned i = 0; i < search->lane_count; i++)
    moves |= move_lane(search, state, i);
  for (unsigned warp = 0; warp < programs_warps(search->programs); warp++)
    moves |= move_warp(search, state, warp);
  for (unsigned i = 0; i < search->landing_count; i++)
    moves |= land(search, state, i);
  objects_check_ends(search, state);
  if (!moves && !is_done(search, state))
    search_wrong(search, "deadlock");
  if (!moves)
    objects_weigh(search, state);
}

// ----------------------------------------------------------------- races ---

static bool is_read(const SearchAccess *access) {
  return access->command->kind == COMMAND_READ ||
         access->command->kind == COMMAND_STRONG_READ ||
         access->command->kind == COMMAND_BULK_READ;
}

static bool is_strong(const SearchAccess *access) {
  return access->command->kind == COMMAND_STRONG_READ ||
         access->command->kind == COMMAND_ATOMIC;
}

static bool conflict(const SearchAccess *a, const SearchAccess *b) {
  CommandKind kind = a->command->kind;
  if (is_strong(a) && is_strong(b))
    return false;
  if (kind == b->command->kind && kind != COMMAND_WRITE &&
      kind != COMMAND_COPY && kind != COMMAND_BULK_WRITE)
    return false;
  if (is_read(a) && is_read(b))
    return false;
  return a->address < b->address + width_of(b->command) &&
         b->address < a->address + width_of(a->command);
}

static bool is_copy(const SearchAccess *access) {
  return access->command->kind == COMMAND_COPY || is_bulk(access->command);
}

// A bulk copy behind what it does not see.
static bool lacks_fence(const Search *search, const SearchGraph *graph,
                        unsigned i, unsigned k) {
  const SearchAccess *bulk = &search->accesses[k];
  return is_bulk(bulk->command) && !is_bulk(search->accesses[i].command) &&
         !is_read(&search->accesses[i]) &&
         graph_orders(graph, i, bulk->lane, bulk->item) &&
         !graph_fences(graph, i, bulk->lane, bulk->item);
}

static bool is_race(const Search *search, const SearchGraph *graph, unsigned i,
                    unsigned k) {
  const SearchAccess *a = &search->accesses[i], *b = &search->accesses[k];
  if (!conflict(a, b))
    return false;
  if (a->lane == b->lane && !is_copy(a) && !is_copy(b))
    return false;
  if (a->command == b->command)
    return is_copy(a) || !a->command->same_value || a->address != b->address;
  bool is_free = !graph_orders(graph, i, b->lane, b->item) &&
                 !graph_orders(graph, k, a->lane, a->item);
  bool is_met_both_ways = a->before >> k & 1 && b->before >> i & 1;
  if (!search->object_count && !is_copy(a) && !is_copy(b))
    assert(is_free == is_met_both_ways);
  assert(is_free || !is_met_both_ways || is_copy(a) || is_copy(b));
  return is_free || lacks_fence(search, graph, i, k) ||
         lacks_fence(search, graph, k, i);
}

static unsigned thread_of(const Search *search, const SearchAccess *access) {
  const SearchLane *lane = &search->lanes[access->lane];
  return lane->warp * WARP + lane->lane;
}

typedef struct Race {
  uint32_t places[2];
  unsigned threads[2];
} Race;

static Race make_race(const Search *search, const SearchAccess *a,
                      const SearchAccess *b) {
  uint32_t from = a->command->place, to = b->command->place;
  unsigned first = thread_of(search, a), second = thread_of(search, b);
  if (from < to || (from == to && first < second))
    return (Race){{from, to}, {first, second}};
  return (Race){{to, from}, {second, first}};
}

static void count_race(Search *search, const Race *race, bool is_unsure) {
  InterleavedOutcome *outcome = search->outcome;
  outcome->is_unsure |= is_unsure;
  for (size_t i = 0; i < outcome->races.count; i++) {
    RacingPlaces *races = &outcome->races.at[i];
    if (races->places[0] != race->places[0] ||
        races->places[1] != race->places[1] || races->is_unsure != is_unsure)
      continue;
    races->pairs++;
    return;
  }
  RacingPlaces races = {{race->places[0], race->places[1]}, 1, is_unsure};
  push(search->arena, &outcome->races, races);
}

static void collect_races(Search *search, const SearchGraph *graph) {
  Vec(Race) races[2] = {{0}}; // those that are unsure second
  for (unsigned i = 0; i < search->access_count; i++)
    for (unsigned k = 0; k < i; k++) {
      if (!is_race(search, graph, i, k))
        continue;
      const SearchAccess *a = &search->accesses[i], *b = &search->accesses[k];
      bool is_unsure = a->command->is_perhaps || b->command->is_perhaps;
      Race race = make_race(search, a, b);
      bool is_known = false;
      for (size_t j = 0; j < races[is_unsure].count; j++)
        is_known |= !memcmp(&races[is_unsure].at[j], &race, sizeof race);
      if (is_known)
        continue;
      push(search->arena, &races[is_unsure], race);
      count_race(search, &race, is_unsure);
    }
}

InterleavedOutcome interleave(Arena *arena, const Programs *programs) {
  InterleavedOutcome outcome = {0};
  Search *search = NEW(arena, Search);
  search->arena = arena;
  search->programs = programs;
  search->outcome = &outcome;
  assert(programs_warps(programs) <= MOST_SMALL);
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    prepare_warp(search, warp);
  State start;
  memset(&start, 0, sizeof start);
  objects_begin(search, &start);
  visit(search, &start);
  while (search->stack.count && !outcome.wrong && !outcome.is_too_large) {
    State state = search->stack.at[--search->stack.count];
    expand(search, &state);
  }
  if (outcome.wrong || outcome.is_too_large)
    return outcome;
  const SearchGraph *graph = graph_new(search);
  graph_check_objects(search, graph);
  if (!outcome.wrong)
    graph_check_lifetimes(search, graph);
  if (!outcome.wrong)
    collect_races(search, graph);
  return outcome;
}
