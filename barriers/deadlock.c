// Nothing moves, and some warps wait: who waits for whom.
//
// A warp waits for another one if that one waits elsewhere and would meet the
// barrier of the first later in its program.  Warps that wait for nobody are
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

// The barriers that the warp would meet behind the one where it waits.
static uint32_t barriers_later(const Waiting *waiting, unsigned warp) {
  const Commands *commands = &waiting->programs->warps[warp];
  uint32_t barriers = 0;
  for (size_t i = waiting->standing[warp].command + 1; i < commands->count;
       i++) {
    const Command *command = &commands->at[i];
    if (command->kind == COMMAND_ARRIVE || is_waiting(command->kind))
      barriers |= (uint32_t)1 << command->barrier;
  }
  return barriers;
}

static void find_edges(Waiting *waiting) {
  for (uint32_t left = waiting->warps; left; left &= left - 1) {
    unsigned other = (unsigned)__builtin_ctz(left);
    uint32_t later = barriers_later(waiting, other);
    for (uint32_t rest = waiting->warps; rest; rest &= rest - 1) {
      unsigned warp = (unsigned)__builtin_ctz(rest);
      unsigned barrier = waiting->standing[warp].barrier;
      if (barrier != waiting->standing[other].barrier && later >> barrier & 1)
        waiting->waits_for[warp] |= (uint32_t)1 << other;
    }
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
  findings_add(findings, FINDING_DEADLOCK, standing->barrier,
               standing->generation, end,
               standing->is_in_cycle ? &other : NULL);
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
