// PPCT: of the threads whose priority is high any one goes on.
//
// Nagarakatte et al., PLDI 2012, "Multicore acceleration of priority-based
// schedulers": all threads but one are in the high set, whose members run at
// the same time - here, in any order by lot - and d threads at most have low
// priorities and run one at a time, when nobody of the high set can.

#include "runtime/threads/world.h"

static uint64_t changes[MOST_DEPTH];
static unsigned low; // number of the thread that begins in the low set

static void begin(void) {
  for (unsigned i = 1; i < world.question->depth; i++)
    changes[i] = 1 + world_below(&world.random, world.expected_steps);
  low = (unsigned)world_below(
      &world.random, world.expected_threads ? world.expected_threads : 1);
  pool_begin(world_draw(&world.random), world.expected_threads);
  policy_ask_at(1);
}

// Slots of the high set begin behind those of the low one.
static PosixThread *choose(void) {
  uint64_t kept[1] = {world.ready[0]};
  unsigned count = world.ready_count;
  uint64_t lowered = world.ready[0] & ((UINT64_C(1) << FIRST_SLOT) - 1);
  unsigned left = count - (unsigned)__builtin_popcountll(lowered);
  if (!left)
    return ready_highest();
  world.ready[0] &= ~lowered;
  world.ready_count = left;
  PosixThread *chosen = ready_any(&world.random);
  world.ready[0] = kept[0];
  world.ready_count = count;
  return chosen;
}

static PosixThread *at_point(void) {
  for (unsigned i = 1; i < world.question->depth; i++)
    if (changes[i] == world.steps)
      pool_lower(world.self, world.question->depth - 1 - i);
  policy_ask_at(world.steps + 1);
  return choose();
}

static void add(PosixThread *thread) {
  pool_add(thread);
  if (thread->index != low)
    return;
  thread->slot = ABOVE_LOWERED; // above those whose priority is lowered
}

const SchedulePolicy policy_ppct = {begin, at_point, choose, add, pool_yield};
