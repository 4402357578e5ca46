// At each step any thread that can, all with the same probability.

#include "runtime/threads/world.h"

static void begin(void) { policy_ask_at(1); }

static PosixThread *choose(void) { return ready_any(&world.random); }

static PosixThread *at_point(void) {
  policy_ask_at(world.steps + 1);
  return choose();
}

const SchedulePolicy policy_random = {begin, at_point, choose, policy_in_order,
                                      policy_no_yield};

// Nobody is stopped, and threads take turns where they wait.
static PosixThread *go_on(void) { return world.self; }
static PosixThread *next_in_turn(void) { return ready_after(world.self); }
static void begin_first(void) {}

const SchedulePolicy policy_first = {begin_first, go_on, next_in_turn,
                                     policy_in_order, policy_no_yield};
