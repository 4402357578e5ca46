// Nothing moves, and some warps wait: who waits for whom.
//
// A warp waits for another one if that one waits elsewhere and would meet the
// barrier of the first later in its program, or wherever it waits and would
// later arrive at the first one's mbarrier, or bring bytes; that may be the
// warp itself.  Warps that wait for nobody are
// stripped, then those that waited for them alone, and so on; what is left
// holds a cycle.  If nothing is left, some barrier has too few warps that ever
// come to it: they have exited, or were never sent.

#include "barriers/programs/check.h"

#include <assert.h>

// Warps.
typedef struct WarpSet {
  uint64_t bits[MOST_WARPS / 64];
} WarpSet;

typedef struct Waiting {
  const Programs *programs;
  Standing *standing;
  unsigned count;                // of all warps
  WarpSet warps;                 // that wait
  WarpSet waits_for[MOST_WARPS]; // by warp
} Waiting;

static bool set_has(const WarpSet *set, unsigned warp) {
  return set->bits[warp / 64] >> warp % 64 & 1;
}

static void set_add(WarpSet *set, unsigned warp) {
  set->bits[warp / 64] |= (uint64_t)1 << warp % 64;
}

static void set_remove(WarpSet *set, unsigned warp) {
  set->bits[warp / 64] &= ~((uint64_t)1 << warp % 64);
}

// The first of both; NO_WARP: there is none.
static unsigned first_of(const WarpSet *set, const WarpSet *other) {
  for (unsigned i = 0; i < MOST_WARPS / 64; i++)
    if (set->bits[i] & other->bits[i])
      return 64 * i + (unsigned)__builtin_ctzll(set->bits[i] & other->bits[i]);
  return NO_WARP;
}

static bool moves_phase(CommandKind kind) {
  return kind == COMMAND_MBARRIER_ARRIVE || kind == COMMAND_MBARRIER_DROP ||
         kind == COMMAND_MBARRIER_COMPLETE || kind == COMMAND_COPY_ARRIVE ||
         kind == COMMAND_BULK_COMPLETE;
}

// `by` would arrive at an mbarrier that these wait for.
static void add_arrival(Waiting *waiting, unsigned by, const Command *command) {
  for (unsigned warp = 0; warp < waiting->count; warp++) {
    const Standing *standing = &waiting->standing[warp];
    if (set_has(&waiting->warps, warp) && standing->is_mbarrier &&
        standing->address == command->address)
      set_add(&waiting->waits_for[warp], by);
  }
}

// ... meet a barrier; who waits at the same one is there already.
static void add_meeting(Waiting *waiting, unsigned by, unsigned barrier) {
  const Standing *own = &waiting->standing[by];
  if (!own->is_mbarrier && own->barrier == barrier)
    return;
  for (unsigned warp = 0; warp < waiting->count; warp++) {
    const Standing *standing = &waiting->standing[warp];
    if (set_has(&waiting->warps, warp) && !standing->is_mbarrier &&
        standing->barrier == barrier)
      set_add(&waiting->waits_for[warp], by);
  }
}

// Those who wait for what the warp would do behind the command where it waits.
static void add_later(Waiting *waiting, unsigned warp) {
  const Commands *commands = &waiting->programs->warps[warp];
  bool meets[ALL_BARRIERS] = {false};
  for (size_t i = waiting->standing[warp].command + 1; i < commands->count;
       i++) {
    const Command *command = &commands->at[i];
    if (command->kind == COMMAND_ARRIVE || is_waiting(command->kind))
      meets[command->barrier] = true;
    if (moves_phase(command->kind))
      add_arrival(waiting, warp, command);
  }
  for (unsigned barrier = 0; barrier < ALL_BARRIERS; barrier++)
    if (meets[barrier])
      add_meeting(waiting, warp, barrier);
}

static WarpSet strip(const Waiting *waiting) {
  WarpSet kept = waiting->warps;
  for (bool changes = true; changes;) {
    changes = false;
    for (unsigned warp = 0; warp < waiting->count; warp++)
      if (set_has(&kept, warp) &&
          first_of(&waiting->waits_for[warp], &kept) == NO_WARP) {
        set_remove(&kept, warp);
        changes = true;
      }
  }
  return kept;
}

// Goes from one to the next until one is met again, then once around.
static void mark_cycle(Waiting *waiting, const WarpSet *kept) {
  unsigned warp = first_of(kept, kept);
  assert(warp != NO_WARP);
  for (WarpSet seen = {0}; !set_has(&seen, warp);) {
    set_add(&seen, warp);
    warp = first_of(&waiting->waits_for[warp], kept);
  }
  while (!waiting->standing[warp].is_in_cycle) {
    waiting->standing[warp].is_in_cycle = true;
    waiting->standing[warp].waits_for =
        first_of(&waiting->waits_for[warp], kept);
    warp = waiting->standing[warp].waits_for;
  }
}

// A warp of the cycle, or else one that waits for nobody.
static unsigned pick(const Waiting *waiting) {
  unsigned picked = first_of(&waiting->warps, &waiting->warps);
  for (unsigned warp = 0; warp < waiting->count; warp++) {
    if (!set_has(&waiting->warps, warp))
      continue;
    if (waiting->standing[warp].is_in_cycle)
      return warp;
    if (waiting->standing[picked].waits_for != NO_WARP)
      picked = warp;
  }
  return picked;
}

static void report(FindingSet *findings, const Waiting *waiting) {
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

void find_deadlock(FindingSet *findings) {
  Waiting *waiting = NEW(&findings->task->arena, Waiting);
  waiting->programs = findings->programs;
  waiting->standing = findings->check->standing;
  waiting->count = programs_warps(findings->programs);
  for (unsigned warp = 0; warp < waiting->count; warp++)
    if (!waiting->standing[warp].has_exited)
      set_add(&waiting->warps, warp);
  const WarpSet *all = &waiting->warps;
  if (first_of(all, all) == NO_WARP)
    return;
  for (unsigned warp = 0; warp < waiting->count; warp++)
    if (set_has(all, warp))
      add_later(waiting, warp);
  for (unsigned warp = 0; warp < waiting->count; warp++)
    if (set_has(all, warp))
      waiting->standing[warp].waits_for =
          first_of(&waiting->waits_for[warp], all);
  WarpSet kept = strip(waiting);
  if (first_of(&kept, &kept) != NO_WARP)
    mark_cycle(waiting, &kept);
  report(findings, waiting);
}
