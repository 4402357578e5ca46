// Nothing moves, and some warps wait: who waits for whom.
//
// A warp waits for another one if that one waits elsewhere and would meet the
// barrier of the first later in its program, or wherever it waits and would
// later arrive at the first one's mbarrier, or bring bytes; that may be the
// warp itself.  Warps that wait for nobody are
// stripped, then those that waited for them alone, and so on; what is left
// holds a cycle.  If nothing is left, some barrier has too few warps that ever
// come to it: they have exited, or were never sent.

#include "barriers/check.h"

#include <assert.h>

typedef struct Waiting {
  const Programs *programs;
  Standing *standing;
  uint32_t warps;                 // that wait
  uint32_t waits_for[MOST_WARPS]; // sets of warps
} Waiting;

static bool moves_phase(CommandKind kind) {
  return kind == COMMAND_MBARRIER_ARRIVE || kind == COMMAND_MBARRIER_DROP ||
         kind == COMMAND_MBARRIER_COMPLETE || kind == COMMAND_COPY_ARRIVE ||
         kind == COMMAND_BULK_COMPLETE;
}

// Those who wait for an mbarrier that the command arrives at.
static uint32_t waiting_at(const Waiting *waiting, const Command *command) {
  uint32_t warps = 0;
  for (uint32_t left = waiting->warps; left; left &= left - 1) {
    const Standing *standing = &waiting->standing[__builtin_ctz(left)];
    if (standing->is_mbarrier && standing->address == command->address)
      warps |= left & -left;
  }
  return warps;
}

// ... for a barrier; who waits at the same one is there already.
static uint32_t waiting_for(const Waiting *waiting, unsigned warp,
                            uint32_t barriers) {
  const Standing *own = &waiting->standing[warp];
  uint32_t warps = 0;
  for (uint32_t left = waiting->warps; left; left &= left - 1) {
    const Standing *standing = &waiting->standing[__builtin_ctz(left)];
    bool is_there = !own->is_mbarrier && own->barrier == standing->barrier;
    if (!standing->is_mbarrier && !is_there &&
        barriers >> standing->barrier & 1)
      warps |= left & -left;
  }
  return warps;
}

// Those who wait for what the warp would do behind the command where it waits.
static uint32_t waiting_for_later(const Waiting *waiting, unsigned warp) {
  const Commands *commands = &waiting->programs->warps[warp];
  uint32_t barriers = 0, warps = 0;
  for (size_t i = waiting->standing[warp].command + 1; i < commands->count;
       i++) {
    const Command *command = &commands->at[i];
    if (command->kind == COMMAND_ARRIVE || is_waiting(command->kind))
      barriers |= (uint32_t)1 << command->barrier;
    if (moves_phase(command->kind))
      warps |= waiting_at(waiting, command);
  }
  return warps | waiting_for(waiting, warp, barriers);
}

static void find_edges(Waiting *waiting) {
  for (uint32_t left = waiting->warps; left; left &= left - 1) {
    unsigned other = (unsigned)__builtin_ctz(left);
    uint32_t warps = waiting_for_later(waiting, other);
    for (; warps; warps &= warps - 1)
      waiting->waits_for[__builtin_ctz(warps)] |= (uint32_t)1 << other;
  }
}

static uint32_t strip(const Waiting *waiting) {
  uint32_t kept = waiting->warps, before;
  do {
    before = kept;
    for (unsigned warp = 0; warp < MOST_WARPS; warp++)
      if (kept >> warp & 1 && !(waiting->waits_for[warp] & kept))
        kept &= ~((uint32_t)1 << warp);
  } while (kept != before);
  return kept;
}

static unsigned first_of(uint32_t warps) {
  return warps ? (unsigned)__builtin_ctz(warps) : NO_WARP;
}

// Goes from one to the next until one is met again, then once around.
static void mark_cycle(Waiting *waiting, uint32_t kept) {
  unsigned warp = first_of(kept);
  assert(warp != NO_WARP);
  for (uint32_t seen = 0; !(seen >> warp & 1);) {
    seen |= (uint32_t)1 << warp;
    warp = first_of(waiting->waits_for[warp] & kept);
  }
  while (!waiting->standing[warp].is_in_cycle) {
    waiting->standing[warp].is_in_cycle = true;
    waiting->standing[warp].waits_for =
        first_of(waiting->waits_for[warp] & kept);
    warp = waiting->standing[warp].waits_for;
  }
}

// A warp of the cycle, or else one that waits for nobody.
static unsigned pick(const Waiting *waiting) {
  unsigned picked = first_of(waiting->warps);
  for (uint32_t left = waiting->warps; left; left &= left - 1) {
    unsigned warp = (unsigned)__builtin_ctz(left);
    if (waiting->standing[warp].is_in_cycle)
      return warp;
    if (waiting->standing[picked].waits_for != NO_WARP)
      picked = warp;
  }
  return picked;
}

static void report(Findings *findings, const Waiting *waiting) {
  const Standing *standing = &waiting->standing[pick(waiting)];
  End end = end_of(findings->programs, pick(waiting), standing->command);
  unsigned next = standing->waits_for;
  End other = {0};
  if (standing->is_in_cycle)
    other = end_of(findings->programs, next, waiting->standing[next].command);
  const End *second = standing->is_in_cycle ? &other : NULL;
  if (standing->is_mbarrier)
    findings_add_phase(findings, FINDING_DEADLOCK, standing->address,
                       standing->generation, end, second);
  else
    findings_add(findings, FINDING_DEADLOCK, standing->barrier,
                 standing->generation, end, second);
}

void find_deadlock(Findings *findings) {
  Waiting waiting = {.programs = findings->programs,
                     .standing = findings->check->standing};
  for (unsigned warp = 0; warp < programs_warps(findings->programs); warp++)
    if (!waiting.standing[warp].has_exited)
      waiting.warps |= (uint32_t)1 << warp;
  if (!waiting.warps)
    return;
  find_edges(&waiting);
  for (uint32_t left = waiting.warps; left; left &= left - 1) {
    unsigned warp = (unsigned)__builtin_ctz(left);
    waiting.standing[warp].waits_for = first_of(waiting.waits_for[warp]);
  }
  uint32_t kept = strip(&waiting);
  if (kept)
    mark_cycle(&waiting, kept);
  report(findings, &waiting);
}
