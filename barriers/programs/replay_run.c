// An execution of the programs, from the beginning.
//
// The lanes of a warp are free, so those that cannot go on stay behind and the
// others go on; lanes that stand before the same command are one party and go
// together.  With --warp-sync a warp is one party for ever.  Who waits and may
// go on does so at once; what else there is to choose says the policy.

#include "barriers/programs/replay.h"

#include <assert.h>
#include <string.h>

void misuse(ReplayState *execution, FindingKind kind, End end) {
  if (execution->is_wrong)
    return;
  execution->is_wrong = true;
  execution->wrong = (Misuse){kind, end};
}

bool is_ended(const ReplayState *execution) {
  return execution->is_wrong && !execution->forgives;
}

uint32_t lane_position(const ReplayState *execution, unsigned warp,
                       unsigned lane) {
  const Crew *crew = &execution->crews[warp];
  for (unsigned i = 0; i < crew->count; i++)
    if (crew->parties[i].lanes >> lane & 1)
      return crew->parties[i].at;
  return UINT32_MAX;
}

bool is_block_over(const ReplayState *execution, unsigned block) {
  unsigned warps = programs_block_warps(execution->programs);
  for (unsigned warp = block * warps; warp < (block + 1) * warps; warp++)
    if (execution->crews[warp].count)
      return false;
  return true;
}

bool is_over(const ReplayState *execution) {
  for (unsigned block = 0; block < programs_blocks(execution->programs);
       block++)
    if (!is_block_over(execution, block))
      return false;
  return true;
}

static uint32_t held_at(const ReplayState *execution, unsigned warp,
                        uint32_t at, uint32_t lanes) {
  uint32_t held = 0;
  for (size_t i = 0; i < execution->holds.count; i++) {
    const Hold *hold = &execution->holds.at[i];
    if (!hold->is_end && hold->warp == warp && hold->command == at)
      held |= hold->lanes & lanes;
  }
  return held;
}

// --------------------------------------------------------------- parties ---

static void remove_party(Crew *crew, unsigned index) {
  crew->parties[index] = crew->parties[--crew->count];
}

// Adds lanes to those that stand there, if there are any.
static void put(Crew *crew, uint32_t at, uint32_t lanes) {
  for (unsigned i = 0; i < crew->count; i++)
    if (crew->parties[i].at == at) {
      crew->parties[i].lanes |= lanes;
      return;
    }
  assert(crew->count < WARP);
  crew->parties[crew->count++] = (Party){at, lanes};
}

static void take(Crew *crew, unsigned index, uint32_t lanes) {
  crew->parties[index].lanes &= ~lanes;
  if (!crew->parties[index].lanes)
    remove_party(crew, index);
}

static void note_leg(ReplayState *execution, unsigned warp, uint32_t lanes,
                     uint32_t from, uint32_t to) {
  Legs *legs = &execution->legs;
  execution->commands += to - from;
  Leg *last = legs->count ? &legs->at[legs->count - 1] : NULL;
  if (last && last->warp == warp && last->lanes == lanes && last->to == from) {
    last->to = to;
    return;
  }
  if (legs->count <= MOST_LEGS)
    push(&execution->task->arena, legs, ((Leg){warp, lanes, from, to}));
}

// ----------------------------------------------------------------- steps ---

// Where the lanes have to stop next.
static uint32_t next_stop(const ReplayState *execution, unsigned warp,
                          Party party) {
  uint32_t stop = execution->routes[warp].stop[party.at];
  for (size_t i = 0; i < execution->holds.count; i++) {
    const Hold *hold = &execution->holds.at[i];
    if (!hold->is_end && hold->warp == warp && hold->lanes & party.lanes &&
        party.at <= hold->command && hold->command < stop)
      stop = hold->command;
  }
  if (execution->tour)
    return tour_stop(execution->tour, warp, party.at, stop);
  const Knowledge *known = &execution->known;
  if (known->following == FOLLOWS_ACCESS && known->access.warp == warp &&
      party.lanes >> known->access.lane & 1 &&
      party.at <= known->access.command && known->access.command < stop)
    stop = known->access.command;
  return stop;
}

static bool has_registers(const ReplayState *execution, unsigned warp,
                          const Command *command) {
  unsigned own = execution->crews[warp].registers;
  unsigned block = block_of_warp(execution->programs, warp);
  return !execution->programs->registers || command->registers <= own ||
         command->registers - own <= execution->free_registers[block];
}

// Of the lanes that take part, those that may go on.
static uint32_t passing(const ReplayState *execution, unsigned warp,
                        uint32_t at, uint32_t lanes) {
  const Command *command = &execution->programs->warps[warp].at[at];
  uint32_t taking = lanes & command->lanes;
  uint32_t all = command->lanes & takers_at(execution, warp, at);
  switch (command->kind) {
  case COMMAND_SYNC:
  case COMMAND_REDUCE:
    return can_meet(execution, warp, at, lanes) ? lanes : 0;
  case COMMAND_WARP_SYNC:
    return all & ~lanes ? 0 : taking;
  case COMMAND_REGISTERS:
    return all & ~lanes || !has_registers(execution, warp, command) ? 0
                                                                    : taking;
  case COMMAND_MBARRIER_WAIT:
    return mbarrier_passes(
               mbarriers_find(&execution->mbarriers, command->address), command)
               ? taking
               : 0;
  case COMMAND_COPIES_DONE:
  case COMMAND_BULKS_DONE:
    return taking & ~held_by_copies(execution, warp, at, taking);
  case COMMAND_READ:
  case COMMAND_STRONG_READ:
  case COMMAND_WRITE:
  case COMMAND_ATOMIC:
  case COMMAND_ARRIVE:
  case COMMAND_EXIT:
  case COMMAND_MBARRIER_INIT:
  case COMMAND_MBARRIER_INVAL:
  case COMMAND_MBARRIER_EXPECT:
  case COMMAND_MBARRIER_ARRIVE:
  case COMMAND_MBARRIER_DROP:
  case COMMAND_MBARRIER_COMPLETE:
  case COMMAND_MBARRIER_TRY:
  case COMMAND_COPY:
  case COMMAND_COPY_ARRIVE:
  case COMMAND_BULK_READ:
  case COMMAND_BULK_WRITE:
  case COMMAND_BULK_ATOMIC:
  case COMMAND_BULK_COMPLETE:
  case COMMAND_PROXY_FENCE:
  case COMMAND_INIT_FENCE:
    break;
  }
  return taking;
}

static bool takes_all(CommandKind kind) {
  return is_waiting(kind) || kind == COMMAND_ARRIVE;
}

static void change_registers(ReplayState *execution, unsigned warp,
                             const Command *command) {
  Crew *crew = &execution->crews[warp];
  execution->free_registers[block_of_warp(execution->programs, warp)] +=
      crew->registers - command->registers;
  crew->registers = command->registers;
}

static void act(ReplayState *execution, unsigned warp, uint32_t at,
                uint32_t lanes) {
  const Command *command = &execution->programs->warps[warp].at[at];
  known_step(execution, warp, at, lanes);
  if (is_mbarrier(command->kind))
    use_mbarrier(execution, warp, at, lanes);
  if (command->kind == COMMAND_REGISTERS && execution->programs->registers)
    change_registers(execution, warp, command);
}

// The party stands before a stop.  False: nobody of it goes on.
static bool step(ReplayState *execution, unsigned warp, unsigned index) {
  Crew *crew = &execution->crews[warp];
  Party party = crew->parties[index];
  const Command *command = &execution->programs->warps[warp].at[party.at];
  uint32_t taking =
      takes_all(command->kind) ? party.lanes : party.lanes & command->lanes;
  uint32_t held = held_at(execution, warp, party.at, taking);
  uint32_t pass = passing(execution, warp, party.at, party.lanes & ~held);
  uint32_t going = party.lanes & (pass | ~taking);
  if (command->kind == COMMAND_ARRIVE)
    going = party.lanes & ~held;
  if (command->kind == COMMAND_MBARRIER_WAIT && !pass)
    note_wait(execution, warp, party.at, party.lanes);
  if (!going || (execution->programs->lock_step && going != party.lanes))
    return false;
  if (is_waiting(command->kind)) {
    note_leg(execution, warp, going, party.at, party.at + 1);
    meet_barrier(execution, warp);
    return true;
  }
  act(execution, warp, party.at, going & taking);
  note_leg(execution, warp, going, party.at, party.at + 1);
  take(crew, index, going);
  if (command->kind == COMMAND_EXIT)
    going &= ~taking;
  if (going)
    put(crew, party.at + 1, going);
  settle_arrivals(execution, warp);
  return true;
}

// To its next stop, or past it.
static bool move(ReplayState *execution, unsigned warp, unsigned index) {
  Crew *crew = &execution->crews[warp];
  Party party = crew->parties[index];
  uint32_t stop = next_stop(execution, warp, party);
  if (stop > party.at) {
    note_leg(execution, warp, party.lanes, party.at, stop);
    remove_party(crew, index);
    put(crew, stop, party.lanes);
    return true;
  }
  if (stop < execution->programs->warps[warp].count) {
    if (execution->tour)
      tour_visit(execution, warp, party);
    return step(execution, warp, index);
  }
  remove_party(crew, index);
  settle_arrivals(execution, warp);
  return true;
}

// Nobody of the warp is behind it.
static bool is_last(const Crew *crew, unsigned index) {
  for (unsigned i = 0; i < crew->count; i++)
    if (crew->parties[i].at < crew->parties[index].at)
      return false;
  return true;
}

// Some party of the warp that can.
static bool move_warp(ReplayState *execution, unsigned warp) {
  const Crew *crew = &execution->crews[warp];
  const Policy *policy = &execution->policy;
  for (unsigned i = 0; i < crew->count && execution->left; i++) {
    unsigned index = policy->backwards ? crew->count - 1 - i : i;
    execution->left--;
    if ((!policy->together || is_last(crew, index)) &&
        move(execution, warp, index))
      return true;
  }
  return false;
}

// ------------------------------------------------------------------- run ---

void make_ready(ReplayState *execution, unsigned warp) {
  Ring *ready = &execution->ready;
  if (ready->has[warp])
    return;
  ready->has[warp] = true;
  ready->at[(ready->first + ready->count++) % MOST_WARPS] = warp;
}

static unsigned take_ready(ReplayState *execution) {
  Ring *ready = &execution->ready;
  unsigned warp = ready->at[ready->first];
  ready->first = (ready->first + 1) % MOST_WARPS;
  ready->count--;
  ready->has[warp] = false;
  return warp;
}

static void make_all_ready(ReplayState *execution) {
  unsigned warps = programs_warps(execution->programs);
  for (unsigned i = 0; i < warps; i++)
    make_ready(execution, execution->policy.backwards ? warps - 1 - i : i);
}

static void begin(ReplayState *execution) {
  const Programs *programs = execution->programs;
  memset(execution->crews, 0,
         programs_warps(programs) * sizeof *execution->crews);
  memset(execution->barriers, 0,
         programs_barriers(programs) * sizeof *execution->barriers);
  for (size_t i = 0; i < execution->fresh.count; i++) {
    execution->mbarriers.at[i] = execution->fresh.at[i];
    execution->waited[i] = 0;
  }
  known_begin(execution);
  execution->landings.count = execution->legs.count = 0;
  if (execution->is_watched)
    execution->events.count = 0;
  memset(execution->free_registers, 0, sizeof execution->free_registers);
  execution->commands = 0;
  execution->is_met = execution->is_wrong = execution->is_stopped = false;
  execution->ready = (Ring){0};
  execution->has_role = execution->has_come = false;
  for (unsigned warp = 0; warp < programs_warps(programs); warp++) {
    execution->crews[warp].registers = programs->registers;
    put(&execution->crews[warp], 0, warp_lanes(programs, warp));
  }
}

// True: that was all.
static bool is_finished(ReplayState *execution) {
  execution->is_stopped = !execution->left;
  if (!is_ended(execution) && execution->goal)
    execution->is_met = execution->goal(execution, execution->data);
  return is_ended(execution) || execution->is_met || execution->is_stopped;
}

// Until it has waited at a barrier, or cannot go on.  False: it could not at
// all.
static bool run_warp(ReplayState *execution, unsigned warp) {
  bool moved = false;
  execution->running = warp;
  while (!execution->ready.has[warp] && move_warp(execution, warp)) {
    moved = true;
    if (is_finished(execution))
      return true;
    if (execution->policy.in_turns)
      make_ready(execution, warp);
  }
  return moved;
}

// Who is ready has a turn; false: nobody could go on.
static bool run_turns(ReplayState *execution, bool moved) {
  while (execution->ready.count) {
    moved |= run_warp(execution, take_ready(execution));
    if (moved && is_finished(execution))
      return true;
  }
  return moved;
}

// Until nobody can go on.
static void run_rounds(ReplayState *execution) {
  do {
    if (is_finished(execution))
      return;
    make_all_ready(execution);
  } while (run_turns(execution, false) || land_one(execution));
}

void execution_run(ReplayState *execution) {
  begin(execution);
  run_rounds(execution);
}

void execution_resume(ReplayState *execution) {
  if (is_finished(execution))
    return;
  run_warp(execution, execution->running);
  if (!is_finished(execution))
    run_turns(execution, true);
  run_rounds(execution);
}
