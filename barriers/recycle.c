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
// compared for each command, whatever the length of the programs.

#include "barriers/check.h"

// How many generations of each barrier are over.
typedef struct Over {
  uint32_t count[NAMED_BARRIERS];
} Over;

typedef struct Recycling {
  Findings *findings;
  const Trace *trace;
  Over known[MOST_WARPS];
  Over published[NAMED_BARRIERS];
  uint32_t waiting[NAMED_BARRIERS]; // sets of warps
  uint32_t generation[NAMED_BARRIERS];
  End waits[NAMED_BARRIERS]; // one who waits in this generation
  End last[NAMED_BARRIERS];  // one who waited in the one before
} Recycling;

static void learn(Over *over, const Over *from) {
  for (unsigned i = 0; i < NAMED_BARRIERS; i++)
    if (over->count[i] < from->count[i])
      over->count[i] = from->count[i];
}

// A generation that begins too early and is never complete has no warps of
// its own: they are too many for the one before.
static FindingKind kind_of(const Recycling *recycling, unsigned barrier) {
  bool completes =
      recycling->generation[barrier] < recycling->trace->completed[barrier];
  return completes ? FINDING_RECYCLED : FINDING_TOO_MANY;
}

static void complete(Recycling *recycling, unsigned barrier) {
  uint32_t generation = ++recycling->generation[barrier];
  Over *published = &recycling->published[barrier];
  published->count[barrier] = generation;
  for (uint32_t left = recycling->waiting[barrier]; left; left &= left - 1)
    learn(&recycling->known[__builtin_ctz(left)], published);
  *published = (Over){0};
  recycling->last[barrier] = recycling->waits[barrier];
  recycling->waiting[barrier] = 0;
}

static void meet(Recycling *recycling, Turn turn, const Command *command) {
  unsigned barrier = command->barrier;
  uint32_t generation = recycling->generation[barrier];
  End end = end_of(recycling->findings->programs, turn.warp, turn.command);
  if (recycling->known[turn.warp].count[barrier] < generation)
    findings_add(recycling->findings, kind_of(recycling, barrier), barrier,
                 generation, end, &recycling->last[barrier]);
  learn(&recycling->published[barrier], &recycling->known[turn.warp]);
  if (is_waiting(command->kind)) {
    recycling->waiting[barrier] |= (uint32_t)1 << turn.warp;
    recycling->waits[barrier] = end;
  }
  if (turn.completes)
    complete(recycling, barrier);
}

void find_recycling(Findings *findings, const Trace *trace) {
  Recycling recycling = {.findings = findings, .trace = trace};
  for (size_t i = 0; i < trace->turns.count; i++) {
    Turn turn = trace->turns.at[i];
    const Commands *commands = &findings->programs->warps[turn.warp];
    if (turn.command < commands->count)
      meet(&recycling, turn, &commands->at[turn.command]);
  }
}
