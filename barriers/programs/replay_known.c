// Who knows of one access, in a replay.
//
// Two accesses may always be executed in one order, and nevertheless race: if
// what is between them is relaxed, or only brings bytes, it says nothing about
// memory.  So a replay can follow one access.  Who has made it knows of it;
// arrivals and barriers hand that on, waits get it.  For a bulk copy the same
// is followed of a proxy fence behind the access, by its own thread, or in one
// block by any that knows of the access; for the beginning of an mbarrier, of a
// fence for that, which a relaxed arrival of the same thread at the cluster's
// barrier publishes.
//
// In the same way we follow who knows that a block runs: its threads do, and
// whoever knows that a phase of the cluster's barrier is over.

#include "barriers/programs/replay.h"

#include <string.h>

static void learn(ReplayState *execution, unsigned warp, uint32_t lanes,
                  uint8_t bits) {
  if (execution->programs->lock_step && lanes)
    lanes = warp_lanes(execution->programs, warp);
  for (; bits && lanes; lanes &= lanes - 1)
    execution->known.lanes[warp][__builtin_ctz(lanes)] |= bits;
}

void known_begin(ReplayState *execution) {
  Knowledge *known = &execution->known;
  unsigned count = programs_warps(execution->programs);
  unsigned warps = programs_block_warps(execution->programs);
  memset(known->lanes, 0, count * sizeof *known->lanes);
  memset(known->met, 0, count);
  memset(known->published, 0, sizeof known->published);
  memset(known->coming, 0, execution->mbarriers.count);
  memset(known->come, 0, execution->mbarriers.count);
  known->is_made = known->is_begun = false;
  if (known->following == FOLLOWS_BLOCK)
    memset(known->lanes[known->block * warps], KNOWN_MADE,
           (size_t)warps * WARP);
}

static uint8_t known_to(const ReplayState *execution, unsigned warp,
                        uint32_t lanes) {
  uint8_t bits = 0;
  for (; lanes; lanes &= lanes - 1)
    bits |= execution->known.lanes[warp][__builtin_ctz(lanes)];
  return bits;
}

// A copy has been made where its lane has waited for it.
static void note_end(ReplayState *execution, const Command *access,
                     const Command *command) {
  const Knowledge *known = &execution->known;
  bool is_end = access->kind == COMMAND_COPY
                    ? command->kind == COMMAND_COPIES_DONE
                    : is_bulk(access->kind) && !access->completes_in &&
                          command->kind == COMMAND_BULKS_DONE;
  if (is_end && known->access.command < command->before)
    learn(execution, known->access.warp, (uint32_t)1 << known->access.lane,
          KNOWN_MADE);
}

// The thread of the access has executed a command.
static void step_own(ReplayState *execution, uint32_t at) {
  Knowledge *known = &execution->known;
  const Commands *commands = &execution->programs->warps[known->access.warp];
  const Command *command = &commands->at[at];
  const Command *access = &commands->at[known->access.command];
  unsigned warp = known->access.warp;
  uint32_t lane = (uint32_t)1 << known->access.lane;
  if (at == known->access.command) {
    known->is_made = true;
    if (!is_copying(access->kind))
      learn(execution, warp, lane, KNOWN_MADE);
  }
  if (command->kind == COMMAND_PROXY_FENCE && known->is_made)
    learn(execution, warp, lane, KNOWN_FENCED);
  if (command->kind == COMMAND_INIT_FENCE && known->is_made)
    known->is_begun = access->kind == COMMAND_MBARRIER_INIT;
  note_end(execution, access, command);
}

static void step_fence(ReplayState *execution, unsigned warp, uint32_t lanes) {
  if (programs_blocks(execution->programs) > 1)
    return;
  for (; lanes; lanes &= lanes - 1)
    if (known_to(execution, warp, lanes & -lanes) & KNOWN_MADE)
      learn(execution, warp, lanes & -lanes, KNOWN_FENCED);
}

void known_step(ReplayState *execution, unsigned warp, uint32_t at,
                uint32_t lanes) {
  const Knowledge *known = &execution->known;
  CommandKind kind = execution->programs->warps[warp].at[at].kind;
  if (known->following != FOLLOWS_NOTHING && kind == COMMAND_WARP_SYNC)
    learn(execution, warp, lanes, known_to(execution, warp, lanes));
  if (known->following == FOLLOWS_ACCESS && kind == COMMAND_PROXY_FENCE)
    step_fence(execution, warp, lanes);
  if (known->following == FOLLOWS_ACCESS && warp == known->access.warp &&
      lanes >> known->access.lane & 1)
    step_own(execution, at);
}

void known_meet(ReplayState *execution, unsigned warp, uint32_t takers,
                unsigned barrier) {
  Knowledge *known = &execution->known;
  if (known->following == FOLLOWS_NOTHING)
    return;
  known->met[warp] |= known_to(execution, warp, takers);
  known->published[barrier] |= known->met[warp];
}

void known_complete(ReplayState *execution, unsigned warp, uint32_t takers,
                    unsigned barrier) {
  learn(execution, warp, takers, execution->known.published[barrier]);
}

static bool is_of_followed(const Knowledge *known, End end) {
  return known->following == FOLLOWS_ACCESS && end.warp == known->access.warp &&
         end.lane == known->access.lane;
}

// Does the copy that is followed end with this?
static bool ends_copy(const ReplayState *execution, End end) {
  const Knowledge *known = &execution->known;
  const Command *access = programs_command(execution->programs, known->access);
  CommandKind kind = programs_command(execution->programs, end)->kind;
  if (!is_of_followed(known, end) || end.command <= known->access.command)
    return false;
  if (kind == COMMAND_COPY_ARRIVE)
    return access->kind == COMMAND_COPY;
  return kind == COMMAND_BULK_COMPLETE && is_bulk(access->kind) &&
         known->access.command + access->completes_in == end.command;
}

void known_arrive(ReplayState *execution, End end, size_t mbarrier) {
  Knowledge *known = &execution->known;
  const Command *command = programs_command(execution->programs, end);
  if (command->kind == COMMAND_MBARRIER_INIT)
    known->coming[mbarrier] = known->come[mbarrier] = 0;
  if ((command->kind == COMMAND_MBARRIER_ARRIVE ||
       command->kind == COMMAND_MBARRIER_DROP) &&
      !command->is_relaxed)
    known->coming[mbarrier] |= known->lanes[end.warp][end.lane];
  if (command->kind == COMMAND_MBARRIER_ARRIVE && command->is_relaxed &&
      is_cluster_barrier(command) && known->is_begun &&
      is_of_followed(known, end))
    known->coming[mbarrier] |= KNOWN_BEGUN;
  if (ends_copy(execution, end))
    known->coming[mbarrier] |= KNOWN_MADE;
}

void known_turn_over(ReplayState *execution, size_t mbarrier) {
  Knowledge *known = &execution->known;
  if (known->following == FOLLOWS_BLOCK &&
      execution->mbarriers.at[mbarrier].address == CLUSTER_BARRIER)
    known->coming[mbarrier] |= KNOWN_MADE;
  known->come[mbarrier] = known->coming[mbarrier];
  known->coming[mbarrier] = 0;
}

void known_wait(ReplayState *execution, End end, size_t mbarrier) {
  if (!programs_command(execution->programs, end)->is_relaxed)
    learn(execution, end.warp, (uint32_t)1 << end.lane,
          execution->known.come[mbarrier]);
}
