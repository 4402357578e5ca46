// What mbarriers do in one state of the search, after the PTX manual.
//
// Besides schedules that get stuck or in which a command counts for another
// phase or life than in others, these are wrong:
//
//   - whatever is used and not initialised, or initialised and not ended;
//   - an arrival that is not expected, or for a count of zero;
//   - an arrival or bytes in a phase though no wait has passed for the one
//     before (9.7.13.15.4 asks for that of arrivals; the check does of bytes);
//   - bytes, or an asynchronous arrival without .noinc, that are announced when
//     all arrivals have come (nothing then waits for the announcement);
//   - arrivals that are complete when nothing is left to come, or the object
//     ends, while the bytes are not those that were announced;
//   - an arrival with .noComplete after which no other one is to come;
//   - a block that ends before the bytes of its bulk copies have come, or
//     before another one has done with its mbarriers;
//   - any other access to the object.
//
// A try may be told "no" at any time, and "yes" when the phase is over; its
// wait is then not made, and the phase that it would wait for is that one.

#include "test/fuzz/search.h"

#include <assert.h>

enum { OBJECT_BYTES = 8 };

bool is_object_item(const Command *command) {
  switch (command->kind) {
  case COMMAND_MBARRIER_INIT:
  case COMMAND_MBARRIER_INVAL:
  case COMMAND_MBARRIER_EXPECT:
  case COMMAND_MBARRIER_ARRIVE:
  case COMMAND_MBARRIER_DROP:
  case COMMAND_MBARRIER_COMPLETE:
  case COMMAND_MBARRIER_WAIT:
  case COMMAND_MBARRIER_TRY:
  case COMMAND_COPY_ARRIVE:
  case COMMAND_BULK_COMPLETE:
    return true;
  default:
    return false;
  }
}

static unsigned object_at(const Search *search, uint32_t address) {
  unsigned i = 0;
  while (i < search->object_count && search->objects[i] != address)
    i++;
  return i;
}

void add_object(Search *search, const Command *command) {
  if (object_at(search, command->address) < search->object_count)
    return;
  assert(search->object_count < MOST_OBJECTS);
  search->objects[search->object_count++] = command->address;
}

void add_landing(Search *search, unsigned lane, unsigned item) {
  assert(search->landing_count < MOST_LANDINGS);
  search->landings[search->landing_count++] = (Landing){lane, item};
}

void add_try(Search *search, unsigned lane, unsigned item) {
  assert(search->try_count < MOST_TRIES);
  search->tries[search->try_count++] = (Try){lane, item};
}

static const Command *command_of(const Search *search, unsigned lane,
                                 unsigned item) {
  const SearchLane *at = &search->lanes[lane];
  return &search->programs->warps[at->warp].at[at->items[item]];
}

void link_wait(Search *search, unsigned lane, unsigned item) {
  const Command *command = command_of(search, lane, item);
  uint32_t at = search->lanes[lane].items[item];
  for (unsigned i = 0; i < search->try_count && command->tried; i++)
    if (search->tries[i].lane == lane &&
        search->lanes[lane].items[search->tries[i].item] == at - command->tried)
      search->lanes[lane].tries[item] = (uint8_t)(i + 1);
}

static const Command *next_of(const Search *search, const State *state,
                              unsigned lane) {
  return command_of(search, lane, state->lanes[lane]);
}

bool object_is_over(const Search *search, const State *state, unsigned lane) {
  const Command *command = next_of(search, state, lane);
  const Object *object = &state->objects[object_at(search, command->address)];
  return !object->is_live || object->phase % 2 != command->parity;
}

// The try of the wait at which the lane is has been told "yes".
static bool is_told(const Search *search, const State *state, unsigned lane) {
  unsigned try = search->lanes[lane].tries[state->lanes[lane]];
  return try && state->told >> (try - 1) & 1;
}

bool object_lets_pass(const Search *search, const State *state, unsigned lane) {
  return next_of(search, state, lane)->kind != COMMAND_MBARRIER_WAIT ||
         is_told(search, state, lane) || object_is_over(search, state, lane);
}

static void note_role(Search *search, unsigned lane, unsigned item,
                      const Object *object, int phase) {
  Role *role = &search->lanes[lane].roles[item];
  if (role->is_known && (role->phase != phase || role->life != object->lives))
    search_wrong(search, "the phases differ");
  *role = (Role){true, object->lives, (int8_t)phase};
}

static void end_phase(Object *object) {
  if (object->pending == 0 && object->bytes == 0) {
    object->phase++;
    object->pending = object->expected;
  }
}

static void arrive(Search *search, Object *object, unsigned count,
                   bool never_completes) {
  if (!count)
    search_wrong(search, "an arrival for nobody");
  if (object->pending < count) {
    search_wrong(search, "more arrivals than expected");
    return;
  }
  object->pending = (uint8_t)(object->pending - count);
  if (!object->pending && never_completes)
    search_wrong(search, "the last arrival is .noComplete");
  end_phase(object);
}

static void announce(Search *search, Object *object, int bytes) {
  if (bytes && !object->pending)
    search_wrong(search, "bytes behind the last arrival");
  object->bytes = (int16_t)(object->bytes + bytes);
}

static void begin(Search *search, Object *object, unsigned count) {
  if (object->is_live)
    search_wrong(search, "initialised twice");
  *object = (Object){.lives = (uint8_t)(object->lives + 1),
                     .is_live = true,
                     .pending = (uint8_t)count,
                     .expected = (uint8_t)count};
  if (!count)
    search_wrong(search, "a count of zero");
}

static void drop(Search *search, Object *object, unsigned count) {
  if (object->expected < count)
    search_wrong(search, "more drop out than are expected");
  else
    object->expected = (uint8_t)(object->expected - count);
}

static void weigh(Search *search, const Object *object) {
  if (object->is_live && !object->pending && object->bytes)
    search_wrong(search, "the bytes do not balance");
}

void objects_weigh(Search *search, const State *state) {
  for (unsigned i = 0; i < search->object_count; i++)
    weigh(search, &state->objects[i]);
}

static bool comes_early(const Object *object) {
  return object->phase > object->waited;
}

static bool is_nothing(const Command *command) {
  return (command->kind == COMMAND_MBARRIER_EXPECT ||
          command->kind == COMMAND_MBARRIER_COMPLETE) &&
         !command->tx;
}

static void count_for(Search *search, State *state, unsigned index,
                      unsigned lane, const Command *command) {
  Object *object = &state->objects[index];
  unsigned item = state->lanes[lane];
  if (comes_early(object))
    search_wrong(search, "no wait for the phase before");
  note_role(search, lane, item, object, object->phase);
  switch (command->kind) {
  case COMMAND_MBARRIER_EXPECT:
    announce(search, object, command->tx);
    return;
  case COMMAND_MBARRIER_ARRIVE:
    object->bytes = (int16_t)(object->bytes + command->tx);
    arrive(search, object, command->arrivals, command->never_completes);
    return;
  case COMMAND_MBARRIER_DROP:
    object->bytes = (int16_t)(object->bytes + command->tx);
    drop(search, object, command->arrivals);
    arrive(search, object, command->arrivals, command->never_completes);
    return;
  case COMMAND_MBARRIER_COMPLETE:
    object->bytes = (int16_t)(object->bytes - command->tx);
    end_phase(object);
    return;
  default:
    assert(command->kind == COMMAND_COPY_ARRIVE ||
           command->kind == COMMAND_BULK_COMPLETE);
  }
  bool raises = command->kind == COMMAND_COPY_ARRIVE && !command->arrivals;
  if (raises && !object->pending)
    search_wrong(search, "an asynchronous arrival behind the last one");
  object->pending = (uint8_t)(object->pending + raises);
  for (unsigned i = 0; i < search->landing_count; i++)
    if (search->landings[i].lane == lane && search->landings[i].item == item)
      state->landings |= (uint16_t)(1 << i);
}

static void answer(Search *search, State *state, unsigned lane,
                   Object *object) {
  const SearchLane *at = &search->lanes[lane];
  for (unsigned i = 0; i < at->count; i++) {
    unsigned try = at->tries[i];
    if (!try || search->tries[try - 1].item != state->lanes[lane])
      continue;
    note_role(search, lane, i, object, object->phase - 1);
    object->waited = object->phase;
    state->told |= UINT32_C(1) << (try - 1);
  }
}

void object_move(Search *search, State *state, unsigned lane, bool is_over) {
  const Command *command = command_of(search, lane, state->lanes[lane]);
  unsigned index = object_at(search, command->address);
  Object *object = &state->objects[index];
  if (command->kind == COMMAND_MBARRIER_INIT) {
    begin(search, object, command->arrivals);
    note_role(search, lane, state->lanes[lane], object, 0);
    return;
  }
  if (command->kind == COMMAND_MBARRIER_WAIT && is_told(search, state, lane))
    return;
  if (!object->is_live) {
    search_wrong(search, "not initialised");
    return;
  }
  if (command->kind == COMMAND_MBARRIER_INVAL) {
    note_role(search, lane, state->lanes[lane], object, 0);
    weigh(search, object);
    object->is_live = false;
  } else if (command->kind == COMMAND_MBARRIER_WAIT) {
    note_role(search, lane, state->lanes[lane], object, object->phase - 1);
    object->waited = object->phase;
  } else if (command->kind == COMMAND_MBARRIER_TRY) {
    note_role(search, lane, state->lanes[lane], object, 0);
    if (is_over)
      answer(search, state, lane, object);
  } else if (!is_nothing(command))
    count_for(search, state, index, lane, command);
}

void object_land(Search *search, State *state, unsigned landing) {
  const Landing *at = &search->landings[landing];
  const Command *command = command_of(search, at->lane, at->item);
  Object *object = &state->objects[object_at(search, command->address)];
  state->landings &= (uint16_t)~(1 << landing);
  if (!object->is_live) {
    search_wrong(search, "arrives where nothing is");
    return;
  }
  note_role(search, at->lane, at->item, object, object->phase);
  if (comes_early(object))
    search_wrong(search, "no wait for the phase before");
  if (command->kind == COMMAND_COPY_ARRIVE) {
    arrive(search, object, command->arrivals ? command->arrivals : 1, false);
    return;
  }
  object->bytes = (int16_t)(object->bytes - command->tx);
  end_phase(object);
}

void objects_begin(const Search *search, State *state) {
  unsigned threads =
      programs_blocks(search->programs) * search->programs->threads;
  unsigned cluster = object_at(search, CLUSTER_BARRIER);
  if (cluster < search->object_count)
    state->objects[cluster] = (Object){.is_live = true,
                                       .pending = (uint8_t)threads,
                                       .expected = (uint8_t)threads};
}

static bool has_ended(const Search *search, const State *state,
                      unsigned block) {
  for (unsigned i = 0; i < search->lane_count; i++)
    if (block_of(search, i) == block &&
        state->lanes[i] < search->lanes[i].count)
      return false;
  return true;
}

static bool is_use(const Command *command) {
  return is_object_item(command) && command->kind != COMMAND_MBARRIER_INIT &&
         command->kind != COMMAND_MBARRIER_INVAL &&
         command->address != CLUSTER_BARRIER;
}

// What the lane is still to do to an mbarrier of that block.
static bool is_to_use(const Search *search, const State *state, unsigned lane,
                      unsigned block) {
  for (unsigned i = state->lanes[lane]; i < search->lanes[lane].count; i++) {
    const Command *command = command_of(search, lane, i);
    if (is_use(command) && command->address / MOST_SHARED_BYTES == block)
      return true;
  }
  return false;
}

static bool has_bulks(const Search *search, const State *state,
                      unsigned block) {
  for (unsigned i = 0; i < search->landing_count; i++) {
    const Landing *at = &search->landings[i];
    const Command *command = command_of(search, at->lane, at->item);
    if (state->landings >> i & 1 && command->kind == COMMAND_BULK_COMPLETE &&
        command->address / MOST_SHARED_BYTES == block)
      return true;
  }
  return false;
}

void objects_check_ends(Search *search, const State *state) {
  for (unsigned block = 0; block < programs_blocks(search->programs); block++) {
    if (!has_ended(search, state, block))
      continue;
    if (has_bulks(search, state, block))
      search_wrong(search, "the block ends before a bulk copy");
    for (unsigned lane = 0; lane < search->lane_count; lane++)
      if (block_of(search, lane) != block &&
          is_to_use(search, state, lane, block))
        search_wrong(search, "the block ends before its mbarrier is used");
  }
}

void search_touched(Search *search, const SearchAccess *access,
                    const char *what) {
  if (access->command->is_perhaps)
    search->outcome->is_unsure = true;
  else
    search_wrong(search, what);
}

void object_keep_off(Search *search, const State *state, unsigned lane) {
  for (unsigned i = 0; i < search->access_count; i++) {
    const SearchAccess *access = &search->accesses[i];
    if (access->lane != lane || access->item != state->lanes[lane])
      continue;
    for (unsigned k = 0; k < search->object_count; k++)
      if (state->objects[k].is_live &&
          access->address < search->objects[k] + OBJECT_BYTES &&
          search->objects[k] < access->address + width_of(access->command))
        search_touched(search, access, "an mbarrier is touched");
  }
}
