// A named barrier, as PTX ISA 9.7.13.1 has it.
//
// A warp comes as a whole, and counts for 32 threads whatever lanes it has.
// The first one of a generation says how many threads it is for.  When so many
// have come the generation is over: those that sync or reduce go on, those
// that arrive have gone on long since, and the barrier can be used again at
// once.  Without a count a barrier is for all warps that have not exited.

#include "ptx/barrier.h"

#include <assert.h>

static uint32_t bit_of(unsigned warp) {
  assert(warp < NAMED_MOST_WARPS);
  return UINT32_C(1) << warp;
}

static bool waits(NamedEventKind kind) { return kind != NAMED_ARRIVE; }

static uint32_t mistake_if(bool is_wrong, NamedMistake mistake) {
  return is_wrong ? UINT32_C(1) << mistake : 0;
}

uint32_t named_barrier_mistakes(const NamedBarrier *barrier, NamedEvent event) {
  bool has_begun = barrier->met;
  uint32_t expected = has_begun ? barrier->expected : event.threads;
  uint32_t met = barrier->met + NAMED_UNIT;
  bool reduces = event.kind == NAMED_REDUCE;
  bool is_awaited = barrier->waiting || waits(event.kind);
  return mistake_if(event.threads != expected, NAMED_OTHER_COUNT) |
         mistake_if(has_begun && barrier->reduces != reduces, NAMED_MIXED) |
         mistake_if(barrier->warps & bit_of(event.warp), NAMED_TWICE) |
         mistake_if(met > expected, NAMED_TOO_MANY) |
         mistake_if(met >= expected && !is_awaited, NAMED_UNAWAITED);
}

static NamedEffect complete(NamedBarrier *barrier) {
  NamedEffect effect = {true, barrier->waiting, barrier->met};
  assert(!(barrier->waiting & ~barrier->warps));
  *barrier = (NamedBarrier){.generation = barrier->generation + 1};
  return effect;
}

static void begin(NamedBarrier *barrier, NamedEvent event) {
  assert(!barrier->warps && !barrier->waiting);
  barrier->expected = event.threads;
  barrier->is_for_all = true;
  barrier->reduces = event.kind == NAMED_REDUCE;
}

NamedEffect named_barrier_meet(NamedBarrier *barrier, NamedEvent event) {
  if (!barrier->met)
    begin(barrier, event);
  barrier->met += NAMED_UNIT;
  barrier->is_for_all &= event.is_for_all;
  barrier->warps |= bit_of(event.warp);
  if (waits(event.kind))
    barrier->waiting |= bit_of(event.warp);
  if (barrier->met < barrier->expected)
    return (NamedEffect){0};
  return complete(barrier);
}

NamedEffect named_barrier_exit(NamedBarrier *barrier, uint32_t left) {
  if (!barrier->is_for_all || !barrier->waiting || barrier->waiting != left)
    return (NamedEffect){0};
  return complete(barrier);
}
