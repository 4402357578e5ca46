// What a replay knows of the programs before it begins.
//
// Accesses wait for nobody and nobody notices them, unless they are the ones
// that are looked for; so lanes go from stop to stop, and a program of a
// million accesses costs no more than its barriers.  A lane takes part in the
// barriers up to the place where it exits, also if it has not got there.

#include "barriers/programs/replay.h"

#include <assert.h>

// Those that are passed by.
#define PLAIN_KINDS                                                            \
  ((uint64_t)1 << COMMAND_READ | (uint64_t)1 << COMMAND_STRONG_READ |          \
   (uint64_t)1 << COMMAND_WRITE | (uint64_t)1 << COMMAND_ATOMIC |              \
   (uint64_t)1 << COMMAND_COPY | (uint64_t)1 << COMMAND_BULK_READ |            \
   (uint64_t)1 << COMMAND_BULK_WRITE | (uint64_t)1 << COMMAND_BULK_ATOMIC)

// Those that we can execute besides.
#define STOP_KINDS                                                             \
  ((uint64_t)1 << COMMAND_SYNC | (uint64_t)1 << COMMAND_REDUCE |               \
   (uint64_t)1 << COMMAND_ARRIVE | (uint64_t)1 << COMMAND_WARP_SYNC |          \
   (uint64_t)1 << COMMAND_REGISTERS | (uint64_t)1 << COMMAND_EXIT |            \
   (uint64_t)1 << COMMAND_COPIES_DONE | (uint64_t)1 << COMMAND_BULKS_DONE |    \
   (uint64_t)1 << COMMAND_PROXY_FENCE | (uint64_t)1 << COMMAND_INIT_FENCE |    \
   (uint64_t)MBARRIER_KINDS)

static bool is_named(CommandKind kind) {
  return is_waiting(kind) || kind == COMMAND_ARRIVE;
}

uint32_t takers_at(const ReplayState *execution, unsigned warp, uint32_t at) {
  const Route *route = &execution->routes[warp];
  uint32_t lanes = warp_lanes(execution->programs, warp);
  if (at < route->first_exit)
    return lanes;
  for (uint32_t left = lanes; left; left &= left - 1)
    if (route->exits[__builtin_ctz(left)] < at)
      lanes &= ~(left & -left);
  return lanes;
}

static void note_exit(Route *route, uint32_t at, uint32_t lanes) {
  if (route->first_exit > at)
    route->first_exit = at;
  for (; lanes; lanes &= lanes - 1)
    if (route->exits[__builtin_ctz(lanes)] > at)
      route->exits[__builtin_ctz(lanes)] = at;
}

static void find_exits(const Commands *commands, Route *route) {
  route->first_exit = UINT32_MAX;
  for (unsigned lane = 0; lane < WARP; lane++)
    route->exits[lane] = UINT32_MAX;
  for (uint32_t at = 0; at < commands->count; at++)
    if (commands->at[at].kind == COMMAND_EXIT)
      note_exit(route, at, commands->at[at].lanes);
}

static void find_stops(ReplayState *execution, unsigned warp) {
  const Commands *commands = &execution->programs->warps[warp];
  Route *route = &execution->routes[warp];
  uint32_t stop = (uint32_t)commands->count;
  route->stop = arena_alloc(&execution->task->arena,
                            (commands->count + 1) * sizeof(uint32_t));
  route->stop[stop] = stop;
  for (uint32_t at = stop; at-- > 0;) {
    uint64_t kind = (uint64_t)1 << commands->at[at].kind;
    if (!(kind & PLAIN_KINDS))
      stop = at;
    if (!(kind & (PLAIN_KINDS | STOP_KINDS)))
      execution->unknown = &commands->at[at];
    route->stop[at] = stop;
  }
}

static void find_meetings(ReplayState *execution, unsigned warp) {
  const Commands *commands = &execution->programs->warps[warp];
  Route *route = &execution->routes[warp];
  for (uint32_t at = 0; at < commands->count; at++)
    if (is_named(commands->at[at].kind) && takers_at(execution, warp, at))
      push(&execution->task->arena, &route->meetings, at);
}

static uint8_t *new_bits(Task *task, size_t count) {
  return arena_alloc(&task->arena, count + 1);
}

ReplayState *execution_new(Task *task, const Programs *programs) {
  ReplayState *execution = NEW(&task->arena, ReplayState);
  execution->task = task;
  execution->programs = programs;
  execution->routes = arena_alloc(&task->arena, MOST_WARPS * sizeof(Route));
  for (unsigned warp = 0; warp < programs_warps(programs); warp++) {
    find_exits(&programs->warps[warp], &execution->routes[warp]);
    find_stops(execution, warp);
    find_meetings(execution, warp);
  }
  execution->fresh = mbarriers_of(task, programs);
  execution->mbarriers = mbarriers_of(task, programs);
  size_t count = execution->fresh.count;
  execution->waited = arena_alloc(&task->arena, (count + 1) * sizeof(int64_t));
  execution->known.coming = new_bits(task, count);
  execution->known.come = new_bits(task, count);
  return execution;
}
