// Nothing moves, and some warps wait: who waits for whom.
//
// A warp waits for another one if that one waits elsewhere and would meet the
// barrier of the first later in its program, or wherever it waits and would
// later arrive at the first one's mbarrier, or bring bytes; that may be the
// warp itself.  Warps that wait for nobody are
// stripped, then those that waited for them alone, and so on; what is left
// holds a cycle.  If nothing is left, some barrier has too few warps that ever
// come to it: they have exited, or were never sent.
//
// A program that was made by execution ends where its warp waits.  What would
// come later is then in programs->beyond.

#include "barriers/programs/check.h"

#include <assert.h>

typedef struct Waiting {
  const Programs *programs;
  Standing *standing;
  unsigned count;                // of all warps
  WarpSet warps;                 // that wait
  WarpSet waits_for[MOST_WARPS]; // by warp
} Waiting;

bool warp_set_has(const WarpSet *set, unsigned warp) {
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

static bool is_for(const Command *command, const Standing *standing) {
  if (standing->is_mbarrier)
    return moves_phase(command->kind) && standing->address == command->address;
  return (command->kind == COMMAND_ARRIVE || is_waiting(command->kind)) &&
         standing->barrier == command->barrier;
}

// What the warp does behind the command where it waits is in these.
static const Programs *programs_behind(const Waiting *waiting, unsigned warp) {
  const Programs *own = waiting->programs, *beyond = own->beyond;
  uint32_t at = waiting->standing[warp].command;
  if (!beyond || at >= beyond->warps[warp].count)
    return own;
  const Command *here = &own->warps[warp].at[at],
                *there = &beyond->warps[warp].at[at];
  return here->kind == there->kind && here->place == there->place ? beyond
                                                                  : own;
}

// The first command behind the one where `by` waits that `warp` waits for;
// NULL: there is none.
static const Command *help_of(const Waiting *waiting, const Programs *programs,
                              unsigned by, unsigned warp) {
  const Commands *commands = &programs->warps[by];
  for (size_t i = waiting->standing[by].command + 1; i < commands->count; i++)
    if (is_for(&commands->at[i], &waiting->standing[warp]))
      return &commands->at[i];
  return NULL;
}

// Who waits at the same barrier is there already.
static bool is_there(const Waiting *waiting, unsigned by, unsigned warp) {
  const Standing *own = &waiting->standing[by];
  return !own->is_mbarrier && !waiting->standing[warp].is_mbarrier &&
         own->barrier == waiting->standing[warp].barrier;
}

static bool stand_alike(const Standing *a, const Standing *b) {
  return a->is_mbarrier == b->is_mbarrier && a->barrier == b->barrier &&
         a->address == b->address;
}

// Those who wait for what the warp would do behind the command where it waits.
static void add_later(Waiting *waiting, unsigned by) {
  const Programs *programs = programs_behind(waiting, by);
  unsigned last = NO_WARP;
  bool helps = false;
  for (unsigned warp = 0; warp < waiting->count; warp++) {
    const Standing *standing = &waiting->standing[warp];
    if (!warp_set_has(&waiting->warps, warp))
      continue;
    if (last == NO_WARP || !stand_alike(&waiting->standing[last], standing))
      helps = help_of(waiting, programs, by, warp) != NULL;
    last = warp;
    if (helps && !is_there(waiting, by, warp))
      set_add(&waiting->waits_for[warp], by);
  }
}

static void note_help(const Waiting *waiting, unsigned warp) {
  Standing *standing = &waiting->standing[warp];
  standing->could_come = waiting->waits_for[warp];
  if (standing->waits_for == NO_WARP)
    return;
  const Programs *programs = programs_behind(waiting, standing->waits_for);
  const Command *help = help_of(waiting, programs, standing->waits_for, warp);
  if (help && help->place < programs->places.count)
    standing->comes = &programs->places.at[help->place];
}

static WarpSet strip(const Waiting *waiting) {
  WarpSet kept = waiting->warps;
  for (bool changes = true; changes;) {
    changes = false;
    for (unsigned warp = 0; warp < waiting->count; warp++)
      if (warp_set_has(&kept, warp) &&
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
  for (WarpSet seen = {0}; !warp_set_has(&seen, warp);) {
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
    if (!warp_set_has(&waiting->warps, warp))
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
    if (warp_set_has(all, warp))
      add_later(waiting, warp);
  for (unsigned warp = 0; warp < waiting->count; warp++)
    if (warp_set_has(all, warp))
      waiting->standing[warp].waits_for =
          first_of(&waiting->waits_for[warp], all);
  WarpSet kept = strip(waiting);
  if (first_of(&kept, &kept) != NO_WARP)
    mark_cycle(waiting, &kept);
  for (unsigned warp = 0; warp < waiting->count; warp++)
    if (warp_set_has(all, warp))
      note_help(waiting, warp);
  report(findings, waiting);
}
