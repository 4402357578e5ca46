// Delay bounding: threads in turns, and d-1 delays at steps by lot.
//
// Emmi, Qadeer, Rakamaric, POPL 2011.  A thread goes on until it waits or is
// delayed; then the next one does, by number.

#include "runtime/threads/world.h"

static uint64_t delays[MOST_DEPTH];

static void ask_at_next(void) {
  for (unsigned i = 1; i < world.question->depth; i++)
    if (delays[i] > world.steps)
      policy_ask_at(delays[i]);
}

static void begin(void) {
  for (unsigned i = 1; i < world.question->depth; i++)
    delays[i] = 1 + world_below(&world.random, world.expected_steps);
  ask_at_next();
}

static PosixThread *choose(void) { return ready_after(world.self); }

static PosixThread *at_point(void) {
  PosixThread *next = world.self;
  for (unsigned i = 1; i < world.question->depth; i++)
    if (delays[i] == world.steps)
      next = ready_after(next);
  ask_at_next();
  return next;
}

const SchedulePolicy policy_delay = {begin, at_point, choose, policy_in_order,
                                     policy_no_yield};
