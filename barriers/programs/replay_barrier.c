// Named barriers in a replay: section 3 of the paper, and the PTX manual.
//
// A warp meets a barrier as a whole when all of its lanes that take part stand
// before the command, or, of bar.arrive, are behind it.  The first to come to a
// generation says how many threads it expects; what is against that is a
// misuse, and nothing is known of what follows.

#include "barriers/programs/replay.h"

#include <assert.h>

static const Command *meeting_at(const ReplayState *execution, unsigned warp,
                                 unsigned number) {
  const Route *route = &execution->routes[warp];
  assert(number < route->meetings.count);
  return &execution->programs->warps[warp].at[route->meetings.at[number]];
}

bool can_meet(const ReplayState *execution, unsigned warp, uint32_t at,
              uint32_t lanes) {
  const Crew *crew = &execution->crews[warp];
  const Route *route = &execution->routes[warp];
  return !crew->waits && crew->met < route->meetings.count &&
         route->meetings.at[crew->met] == at &&
         !(takers_at(execution, warp, at) & ~lanes);
}

static uint32_t mistakes_at(const ReplayState *execution, unsigned warp,
                            const Command *command) {
  return named_barrier_mistakes(
      &execution->barriers[command->barrier],
      meeting_event(execution->programs, warp, command));
}

bool is_misuse(const ReplayState *execution, FindingKind kind, unsigned warp,
               const Command *command) {
  uint32_t left = mistakes_at(execution, warp, command);
  for (; left; left &= left - 1)
    if (meeting_finding((NamedMistake)__builtin_ctz(left)) == kind)
      return true;
  return false;
}

static void check_misuse(ReplayState *execution, unsigned warp, uint32_t at) {
  const Command *command = &execution->programs->warps[warp].at[at];
  uint32_t left = mistakes_at(execution, warp, command);
  for (; left; left &= left - 1)
    misuse(execution, meeting_finding((NamedMistake)__builtin_ctz(left)),
           end_of(execution->programs, warp, at));
}

// The warp, which has waited, goes on.
static void release(ReplayState *execution, unsigned warp, unsigned barrier) {
  Crew *crew = &execution->crews[warp];
  uint32_t at = execution->routes[warp].meetings.at[crew->met - 1];
  assert(crew->waits);
  crew->waits = false;
  make_ready(execution, warp);
  known_complete(execution, warp, takers_at(execution, warp, at), barrier);
  for (unsigned i = 0; i < crew->count; i++)
    if (crew->parties[i].at == at)
      crew->parties[i].at++;
}

static void complete(ReplayState *execution, unsigned barrier, uint32_t warps) {
  for (uint32_t left = warps; left; left &= left - 1)
    release(execution,
            first_warp(execution->programs, barrier) +
                (unsigned)__builtin_ctz(left),
            barrier);
  execution->known.published[barrier] = 0;
}

void note_role(ReplayState *execution, End end, int64_t role) {
  const End *watched = &execution->watched;
  if (!execution->is_watched || execution->has_come ||
      watched->warp != end.warp || watched->command != end.command ||
      watched->lane != end.lane)
    return;
  execution->has_role = true;
  execution->role = role;
}

void meet_barrier(ReplayState *execution, unsigned warp) {
  Crew *crew = &execution->crews[warp];
  const Command *command = meeting_at(execution, warp, crew->met);
  uint32_t at = execution->routes[warp].meetings.at[crew->met];
  NamedBarrier *barrier = &execution->barriers[command->barrier];
  check_misuse(execution, warp, at);
  if (is_ended(execution))
    return;
  note_role(execution, end_of(execution->programs, warp, at),
            barrier->generation);
  crew->met++;
  crew->waits = is_waiting(command->kind);
  known_meet(execution, warp, takers_at(execution, warp, at), command->barrier);
  NamedEffect effect = named_barrier_meet(
      barrier, meeting_event(execution->programs, warp, command));
  if (effect.completes)
    complete(execution, command->barrier, effect.released);
}

static bool all_are_behind(const Crew *crew, uint32_t lanes, uint32_t at) {
  for (unsigned i = 0; i < crew->count; i++)
    if (crew->parties[i].at <= at && crew->parties[i].lanes & lanes)
      return false;
  return true;
}

void settle_arrivals(ReplayState *execution, unsigned warp) {
  Crew *crew = &execution->crews[warp];
  const Route *route = &execution->routes[warp];
  while (!is_ended(execution) && !crew->waits &&
         crew->met < route->meetings.count) {
    uint32_t at = route->meetings.at[crew->met];
    if (meeting_at(execution, warp, crew->met)->kind != COMMAND_ARRIVE ||
        !all_are_behind(crew, takers_at(execution, warp, at), at))
      return;
    meet_barrier(execution, warp);
  }
}
