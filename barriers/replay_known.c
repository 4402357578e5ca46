// Who knows of one access, in a replay.
//
// Two accesses may always be executed in one order, and nevertheless race: if
// what is between them is relaxed, or only brings bytes, it says nothing about
// memory.  So a replay can follow one access.  Who has made it knows of it;
// arrivals and barriers hand that on, waits get it.  For a bulk copy the same
// is followed of a proxy fence behind the access, by its own thread.

#include "barriers/replay.h"

static void learn(Execution *execution, unsigned warp, uint32_t lanes,
                  uint8_t bits) {
  if (execution->programs->lock_step && lanes)
    lanes = warp_lanes(execution->programs, warp);
  for (; bits && lanes; lanes &= lanes - 1)
    execution->known.lanes[warp][__builtin_ctz(lanes)] |= bits;
}

static uint8_t known_to(const Execution *execution, unsigned warp,
                        uint32_t lanes) {
  uint8_t bits = 0;
  for (; lanes; lanes &= lanes - 1)
    bits |= execution->known.lanes[warp][__builtin_ctz(lanes)];
  return bits;
}

// A copy has been made where its lane has waited for it.
static void note_end(Execution *execution, const Command *access,
                     const Command *command) {
  const Known *known = &execution->known;
  bool is_end = access->kind == COMMAND_COPY
                    ? command->kind == COMMAND_COPIES_DONE
                    : is_bulk(access->kind) && !access->barrier &&
                          command->kind == COMMAND_BULKS_DONE;
  if (is_end && known->access.command < command->address)
    learn(execution, known->access.warp, (uint32_t)1 << known->access.lane,
          KNOWN_MADE);
}

void known_step(Execution *execution, unsigned warp, uint32_t at,
                uint32_t lanes) {
  Known *known = &execution->known;
  const Command *command = &execution->programs->warps[warp].at[at];
  const Command *access =
      known->is_on ? programs_command(execution->programs, known->access)
                   : NULL;
  if (!access)
    return;
  if (command->kind == COMMAND_WARP_SYNC)
    learn(execution, warp, lanes, known_to(execution, warp, lanes));
  if (warp != known->access.warp || !(lanes >> known->access.lane & 1))
    return;
  uint32_t lane = (uint32_t)1 << known->access.lane;
  if (at == known->access.command) {
    known->is_made = true;
    if (!is_copying(access->kind))
      learn(execution, warp, lane, KNOWN_MADE);
  }
  if (command->kind == COMMAND_PROXY_FENCE && known->is_made)
    learn(execution, warp, lane, KNOWN_FENCED);
  note_end(execution, access, command);
}

void known_meet(Execution *execution, unsigned warp, uint32_t takers,
                unsigned barrier) {
  Known *known = &execution->known;
  known->met[warp] |= known_to(execution, warp, takers);
  known->published[barrier] |= known->met[warp];
}

void known_complete(Execution *execution, unsigned warp, uint32_t takers,
                    unsigned barrier) {
  learn(execution, warp, takers, execution->known.published[barrier]);
}

// Does the copy that is followed end with this?
static bool ends_copy(const Execution *execution, End end) {
  const Known *known = &execution->known;
  const Command *access = programs_command(execution->programs, known->access);
  CommandKind kind = programs_command(execution->programs, end)->kind;
  if (end.warp != known->access.warp || end.lane != known->access.lane ||
      end.command <= known->access.command)
    return false;
  if (kind == COMMAND_COPY_ARRIVE)
    return access->kind == COMMAND_COPY;
  return kind == COMMAND_BULK_COMPLETE && is_bulk(access->kind) &&
         known->access.command + access->barrier == end.command;
}

void known_arrive(Execution *execution, End end, size_t mbarrier) {
  Known *known = &execution->known;
  const Command *command = programs_command(execution->programs, end);
  if (command->kind == COMMAND_MBARRIER_INIT)
    known->coming[mbarrier] = known->come[mbarrier] = 0;
  if ((command->kind == COMMAND_MBARRIER_ARRIVE ||
       command->kind == COMMAND_MBARRIER_DROP) &&
      !command->is_relaxed)
    known->coming[mbarrier] |= known->lanes[end.warp][end.lane];
  if (known->is_on && ends_copy(execution, end))
    known->coming[mbarrier] |= KNOWN_MADE;
}

void known_turn_over(Execution *execution, size_t mbarrier) {
  Known *known = &execution->known;
  known->come[mbarrier] = known->coming[mbarrier];
  known->coming[mbarrier] = 0;
}

void known_wait(Execution *execution, End end, size_t mbarrier) {
  if (!programs_command(execution->programs, end)->is_relaxed)
    learn(execution, end.warp, (uint32_t)1 << end.lane,
          execution->known.come[mbarrier]);
}
