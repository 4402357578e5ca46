// Are the generations of a barrier the same in every schedule?
//
// WELLSYNC of the paper (figure 4): a warp may meet generation g + 1 of a
// barrier only if generation g has completed before, in every schedule; what
// it did just before must be ordered behind those who waited in g.  If that
// holds along one schedule that reaches the end, every schedule has the same
// generations (Theorem 1), hence neither a deadlock nor a wrong count, and
// "happens before" is what program order and the generations imply.
//
// Instead of a transitive closure each warp carries a number for each barrier:
// how many of its generations are known to be over.  Whoever meets a barrier
// hands on what it knows, and those who wait there get it.  16 numbers are
// compared for each command, whatever the length of the programs.  Where lanes
// wait for mbarriers they know such numbers, too: phases.c.

#include "barriers/programs/check.h"

// How many generations of each barrier are over.
typedef struct Over {
  uint32_t count[ALL_BARRIERS];
} Over;

typedef struct Recycling {
  Rounds rounds;
  const Programs *programs;
  unsigned barriers;
  Over *known;                    // by warp
  Over *published;                // by barrier
  uint32_t waiting[ALL_BARRIERS]; // sets of warps
} Recycling;

// A generation that begins too early and is never complete has no warps of
// its own: they are too many for the one before.
static FindingKind kind_of(const Rounds *rounds, unsigned barrier) {
  bool completes =
      rounds->generation[barrier] < rounds->trace->completed[barrier];
  return completes ? FINDING_RECYCLED : FINDING_TOO_MANY;
}

void rounds_meet(Rounds *rounds, Turn turn, uint32_t known) {
  const Programs *programs = rounds->findings->programs;
  const Command *command = &programs->warps[turn.warp].at[turn.command];
  unsigned barrier = command->barrier;
  End end = end_of(programs, turn.warp, turn.command);
  if (known < rounds->generation[barrier])
    findings_add(rounds->findings, kind_of(rounds, barrier), barrier,
                 rounds->generation[barrier], end, &rounds->last[barrier]);
  if (is_waiting(command->kind))
    rounds->waits[barrier] = end;
  if (!turn.completes)
    return;
  rounds->generation[barrier]++;
  rounds->last[barrier] = rounds->waits[barrier];
}

static void learn(const Recycling *recycling, Over *over, const Over *from) {
  for (unsigned i = 0; i < recycling->barriers; i++)
    if (over->count[i] < from->count[i])
      over->count[i] = from->count[i];
}

static void complete(Recycling *recycling, unsigned barrier) {
  Over *published = &recycling->published[barrier];
  unsigned first = first_warp(recycling->programs, barrier);
  published->count[barrier] = recycling->rounds.generation[barrier];
  for (uint32_t left = recycling->waiting[barrier]; left; left &= left - 1)
    learn(recycling, &recycling->known[first + (unsigned)__builtin_ctz(left)],
          published);
  *published = (Over){0};
  recycling->waiting[barrier] = 0;
}

static void meet(Recycling *recycling, Turn turn) {
  const Command *command =
      &recycling->programs->warps[turn.warp].at[turn.command];
  unsigned barrier = command->barrier;
  const Over *known = &recycling->known[turn.warp];
  rounds_meet(&recycling->rounds, turn, known->count[barrier]);
  learn(recycling, &recycling->published[barrier], known);
  if (is_waiting(command->kind))
    recycling->waiting[barrier] |= warp_bit(recycling->programs, turn.warp);
  if (turn.completes)
    complete(recycling, barrier);
}

void find_recycling(FindingSet *findings, const Trace *trace) {
  Recycling recycling = {.rounds = {.findings = findings, .trace = trace},
                         .programs = findings->programs,
                         .barriers = programs_barriers(findings->programs)};
  Arena *arena = &findings->task->arena;
  recycling.known = (Over *)arena_alloc(
      arena, programs_warps(findings->programs) * sizeof(Over));
  recycling.published =
      (Over *)arena_alloc(arena, recycling.barriers * sizeof(Over));
  for (size_t i = 0; i < trace->turns.count; i++) {
    Turn turn = trace->turns.at[i];
    if (turn.command < findings->programs->warps[turn.warp].count)
      meet(&recycling, turn);
  }
}
