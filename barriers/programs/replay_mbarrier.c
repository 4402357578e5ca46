// mbarriers and asynchronous copies in a replay.
//
// What commands do to an mbarrier is in mbarrier.c.  What comes here is when:
// an arrival or bytes that are asynchronous land once the copies before them
// are made, some time after the command.  A copy is made at once unless it is
// held; then whoever waits for it waits, and what it lets land does not land.

#include "barriers/programs/replay.h"

#include <assert.h>

size_t mbarrier_index(const ReplayState *execution, const Command *command) {
  const ProgramMbarrier *mbarrier =
      mbarriers_find(&execution->mbarriers, command->address);
  return (size_t)(mbarrier - execution->mbarriers.at);
}

static int64_t phase_of(const ProgramMbarrier *mbarrier) {
  return (int64_t)mbarrier->state.past + mbarrier->state.phase;
}

static bool is_asynchronous(CommandKind kind) {
  return kind == COMMAND_COPY_ARRIVE || kind == COMMAND_BULK_COMPLETE;
}

// ---------------------------------------------------------------- copies ---

// Does the command, or what lands with it, wait for the held copy?
static bool waits_for_copy(const ReplayState *execution, const Hold *hold,
                           uint32_t at) {
  const Commands *commands = &execution->programs->warps[hold->warp];
  const Command *copy = &commands->at[hold->command];
  const Command *command = &commands->at[at];
  if (!hold->is_end || hold->command > at)
    return false;
  if (hold->command == at)
    return is_asynchronous(command->kind);
  if (copy->kind == COMMAND_COPY)
    return command->kind == COMMAND_COPY_ARRIVE ||
           (command->kind == COMMAND_COPIES_DONE &&
            hold->command < command->before);
  if (!is_bulk(copy->kind))
    return false;
  if (copy->completes_in)
    return hold->command + copy->completes_in == at;
  return command->kind == COMMAND_BULKS_DONE && hold->command < command->before;
}

uint32_t held_by_copies(const ReplayState *execution, unsigned warp,
                        uint32_t at, uint32_t lanes) {
  uint32_t held = 0;
  for (size_t i = 0; i < execution->holds.count; i++) {
    const Hold *hold = &execution->holds.at[i];
    if (hold->warp == warp && hold->lanes & lanes &&
        waits_for_copy(execution, hold, at))
      held |= hold->lanes & lanes;
  }
  return held;
}

// --------------------------------------------------------------- effects ---

static void record(ReplayState *execution, const ProgramMbarrier *mbarrier,
                   End end) {
  const Command *command = programs_command(execution->programs, end);
  bool is_wait = command->kind == COMMAND_MBARRIER_WAIT;
  ReplayEvent event = {.part = {.warp = end.warp,
                                .command = end.command,
                                .lanes = (uint32_t)1 << end.lane,
                                .is_end = is_asynchronous(command->kind)},
                       .phase = phase_of(mbarrier) - is_wait,
                       .is_wait = is_wait};
  note_role(execution, end, event.phase);
  if (execution->is_watched &&
      programs_command(execution->programs, execution->watched)->address ==
          command->address)
    push(&execution->task->arena, &execution->events, event);
}

// Who runs goes on.
static void wake_all(ReplayState *execution) {
  for (unsigned warp = 0; warp < programs_warps(execution->programs); warp++)
    if (warp != execution->running)
      make_ready(execution, warp);
}

// One lane does what a command says.
static void apply(ReplayState *execution, End end, const Command *command) {
  size_t index = mbarrier_index(execution, command);
  ProgramMbarrier *mbarrier = &execution->mbarriers.at[index];
  known_arrive(execution, end, index);
  Effect effect = mbarrier_do(mbarrier, command);
  if (effect.is_wrong)
    misuse(execution, effect.wrong, end);
  if (effect.completes) {
    known_turn_over(execution, index);
    wake_all(execution);
  }
  if (command->kind == COMMAND_MBARRIER_INIT)
    execution->waited[index] = phase_of(mbarrier);
  if (command->kind != COMMAND_MBARRIER_WAIT)
    return;
  execution->waited[index] = phase_of(mbarrier);
  known_wait(execution, end, index);
}

// Without .noinc the phase has waited for it.
static void land(ReplayState *execution, End end) {
  const Command *command = programs_command(execution->programs, end);
  Command arrival = *command;
  if (command->kind == COMMAND_COPY_ARRIVE && !command->arrivals)
    arrival.arrivals = 1;
  apply(execution, end, &arrival);
}

static void raise(ReplayState *execution, End end, const Command *command) {
  ProgramMbarrier *mbarrier =
      mbarriers_find(&execution->mbarriers, command->address);
  bool waits = command->kind == COMMAND_COPY_ARRIVE && !command->arrivals;
  if (!mbarrier->state.is_live)
    misuse(execution, FINDING_DEAD, end);
  else if (waits && !mbarrier->state.pending)
    misuse(execution, FINDING_UNANNOUNCED, end);
  else if (waits && mbarrier_step(&mbarrier->state,
                                  (MbarrierEvent){.kind = MBARRIER_RAISE})
                            .mistake != MBARRIER_RIGHT)
    misuse(execution, FINDING_RANGE, end);
}

// It is under way.
static void launch(ReplayState *execution, End end) {
  const Command *command = programs_command(execution->programs, end);
  uint32_t lane = (uint32_t)1 << end.lane;
  raise(execution, end, command);
  if (is_ended(execution))
    return;
  if (!execution->policy.is_late &&
      !held_by_copies(execution, end.warp, end.command, lane)) {
    land(execution, end);
    return;
  }
  Hold landing = {end.warp, end.command, lane, true};
  push(&execution->task->arena, &execution->landings, landing);
}

void use_mbarrier(ReplayState *execution, unsigned warp, uint32_t at,
                  uint32_t lanes) {
  for (; lanes && !is_ended(execution); lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    End end = end_of_lane(execution->programs, warp, lane, at);
    const Command *command = programs_command(execution->programs, end);
    size_t index = mbarrier_index(execution, command);
    record(execution, &execution->mbarriers.at[index], end);
    if (is_asynchronous(command->kind))
      launch(execution, end);
    else
      apply(execution, end, command);
  }
}

void note_wait(ReplayState *execution, unsigned warp, uint32_t at,
               uint32_t lanes) {
  const End *watched = &execution->watched;
  if (!execution->is_watched || execution->has_come || watched->warp != warp ||
      watched->command != at || !(lanes >> watched->lane & 1))
    return;
  const Command *command = &execution->programs->warps[warp].at[at];
  size_t index = mbarrier_index(execution, command);
  execution->has_come = true;
  execution->role = phase_of(&execution->mbarriers.at[index]);
}

bool land_one(ReplayState *execution) {
  Holds *landings = &execution->landings;
  for (size_t i = 0; i < landings->count; i++) {
    Hold landing = landings->at[i];
    if (held_by_copies(execution, landing.warp, landing.command, landing.lanes))
      continue;
    landings->count--;
    for (size_t k = i; k < landings->count; k++)
      landings->at[k] = landings->at[k + 1];
    land(execution,
         end_of_lane(execution->programs, landing.warp,
                     (unsigned)__builtin_ctz(landing.lanes), landing.command));
    return true;
  }
  return false;
}
