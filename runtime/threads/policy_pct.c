// PCT: priorities by lot, lowered at steps by lot.
//
// Burckhardt et al., ASPLOS 2010.  Each thread has a priority by lot, and the
// highest one that can goes on.  At d-1 steps, drawn from 1..n with
// replacement, the running thread's priority is lowered below all initial ones:
// the i-th step that was drawn has rank d-i, whichever comes first.  So a bug
// of depth d is found with probability 1/(t n^(d-1)) at least, for t threads
// and n steps.  A thread that only looks is lowered, too, or a loop that waits
// for another thread would never end.

#include "runtime/threads/world.h"

typedef struct Change {
  uint64_t step;
  unsigned rank;
} Change;

static Change changes[MOST_DEPTH];
static unsigned count, next;

// By insertion: they are few.
static void add(Change change) {
  unsigned i = count++;
  for (; i && changes[i - 1].step > change.step; i--)
    changes[i] = changes[i - 1];
  changes[i] = change;
}

static void ask_at_next(void) {
  if (next < count)
    policy_ask_at(changes[next].step);
}

static void begin(void) {
  count = next = 0;
  for (unsigned i = 1; i < world.question->depth; i++)
    add((Change){1 + world_below(&world.random, world.expected_steps),
                 world.question->depth - 1 - i});
  pool_begin(world_draw(&world.random), world.expected_threads);
  ask_at_next();
}

static PosixThread *at_point(void) {
  for (; next < count && changes[next].step <= world.steps; next++)
    pool_lower(world.self, changes[next].rank);
  ask_at_next();
  return ready_highest();
}

const SchedulePolicy policy_pct = {begin, at_point, ready_highest, pool_add,
                                   pool_yield};
