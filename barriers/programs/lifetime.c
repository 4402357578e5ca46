// Does a block run while others access its shared memory?
//
// A thread may access the shared memory of another block of its cluster only
// when that block has begun, and until all its threads have ended.  It has
// begun if the thread knows of something that a thread of that block did, or
// that a phase of the cluster's barrier is over, for all threads have come to
// that; and it has not ended if one of its threads knows of the access when it
// ends itself.  The last access of each thread to a block stands for those
// before.  (That the values arrive is meant, so it takes what orders memory: a
// relaxed arrival behind a store does not keep the block.)

#include "barriers/programs/check.h"

#include <assert.h>

// Of one thread, to one block.
typedef struct Last {
  uint32_t time; // 0: none
  uint32_t command;
} Last;

typedef struct Lifetimes {
  FindingSet *findings;
  const Programs *programs;
  Last *lasts; // by block, and there by thread
} Lifetimes;

static bool is_plain(const Command *command) {
  return command->kind == COMMAND_READ ||
         command->kind == COMMAND_STRONG_READ ||
         command->kind == COMMAND_WRITE || command->kind == COMMAND_ATOMIC;
}

static Last *last_of(const Lifetimes *lifetimes, unsigned block, unsigned warp,
                     unsigned lane) {
  unsigned warps = programs_warps(lifetimes->programs);
  return &lifetimes->lasts[(block * warps + warp) * WARP + lane];
}

static void complain(const Lifetimes *lifetimes, FindingKind kind,
                     unsigned warp, unsigned lane, uint32_t command) {
  End end = end_of_lane(lifetimes->programs, warp, lane, command);
  Finding *finding = findings_get(lifetimes->findings, kind, 0, end, NULL);
  const Command *access = programs_command(lifetimes->programs, end);
  if (finding->occurrences++)
    return;
  finding->address = access_address(lifetimes->programs, access, lane);
  finding->bytes = access_width(access);
}

static void visit(void *data, const Order *order, unsigned warp, uint32_t at) {
  const Lifetimes *lifetimes = data;
  const Programs *programs = lifetimes->programs;
  const Command *command = &programs->warps[warp].at[at];
  uint32_t lanes = is_plain(command) ? command->lanes : 0;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    unsigned block =
        access_address(programs, command, lane) / MOST_SHARED_BYTES;
    if (block == block_of_warp(programs, warp))
      continue;
    Last *last = last_of(lifetimes, block, warp, lane);
    if (!last->time && !order_has_begun(order, block, warp, lane))
      complain(lifetimes, FINDING_NOT_STARTED, warp, lane, at);
    *last = (Last){order_now(order, warp), at};
  }
}

static bool is_known_at_end(const Lifetimes *lifetimes, const Order *order,
                            unsigned block, unsigned warp, unsigned lane) {
  uint32_t time = last_of(lifetimes, block, warp, lane)->time;
  unsigned warps = programs_block_warps(lifetimes->programs);
  for (unsigned own = block * warps; own < (block + 1) * warps; own++)
    for (uint32_t left = warp_lanes(lifetimes->programs, own); left;
         left &= left - 1)
      if (!order_unordered(order, warp, (uint32_t)1 << lane, time, own,
                           (unsigned)__builtin_ctz(left)))
        return true;
  return false;
}

static void check_ends(const Lifetimes *lifetimes, const Order *order) {
  const Programs *programs = lifetimes->programs;
  for (unsigned block = 0; block < programs_blocks(programs); block++)
    for (unsigned warp = 0; warp < programs_warps(programs); warp++)
      for (unsigned lane = 0; lane < WARP; lane++) {
        const Last *last = last_of(lifetimes, block, warp, lane);
        if (last->time && !is_known_at_end(lifetimes, order, block, warp, lane))
          complain(lifetimes, FINDING_GONE, warp, lane, last->command);
      }
}

void find_lifetimes(FindingSet *findings, const Trace *trace) {
  Task *task = findings->task;
  const Programs *programs = findings->programs;
  if (programs_blocks(programs) == 1 || trace->is_wrong)
    return;
  size_t count = (size_t)programs_blocks(programs) * programs_warps(programs);
  Lifetimes lifetimes = {
      .findings = findings,
      .programs = programs,
      .lasts = arena_alloc(&task->arena, count * WARP * sizeof(Last))};
  check_ends(&lifetimes, order_walk(task, programs, trace, visit, &lifetimes));
}
