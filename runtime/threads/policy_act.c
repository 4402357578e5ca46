// ACT: PCT for groups of 32 schedules that share beginnings.
//
// Banga, Pai, Roy, Chaudhuri, "Accelerating Schedule Space Exploration of
// Multi-threaded Programs with GPUs", algorithms 1 to 3, with what is wrong in
// print put right.  The schedules of a group have the same priorities.  Of
// 2(d-2) + 32/2^(d-2) steps, drawn without replacement and sorted, each of the
// first d-2 changes has two to choose from, by halves of what is left of the
// group, and the last change has one for each schedule that is left.  So the
// group has 32 different sequences of steps, and PCT's bound does not hold for
// it: its members depend on each other, and early changes come early.

#include "runtime/threads/world.h"

enum { GROUP = 32, MOST_POINTS = 2 * MOST_DEPTH + GROUP };

static uint64_t points[MOST_POINTS]; // of this schedule, by change
static unsigned count, next;

static bool is_drawn(const uint64_t *drawn, unsigned many, uint64_t step) {
  for (unsigned i = 0; i < many; i++)
    if (drawn[i] == step)
      return true;
  return false;
}

// Sorted and distinct, or, if there are too few steps for that, with gaps
// behind the last one.
static void draw_points(uint64_t *random, uint64_t *drawn, unsigned many) {
  uint64_t steps = world.expected_steps > many ? world.expected_steps : many;
  for (unsigned n = 0; n < many; n++) {
    uint64_t step;
    do
      step = 1 + world_below(random, steps);
    while (is_drawn(drawn, n, step));
    unsigned i = n;
    for (; i && drawn[i - 1] > step; i--)
      drawn[i] = drawn[i - 1];
    drawn[i] = step;
  }
}

// Of 64 schedules if the depth is 7: then two are left for the last change.
static unsigned group_size(unsigned depth) {
  return depth > 6 ? 2 * GROUP : GROUP;
}

static void choose_points(uint64_t *random) {
  unsigned depth = world.question->depth, size = group_size(depth);
  unsigned lane = (unsigned)(world.number % size);
  uint64_t drawn[MOST_POINTS];
  count = depth - 1;
  if (depth < 2)
    return;
  unsigned pairs = depth - 2, last = size >> pairs;
  draw_points(random, drawn, 2 * pairs + last);
  for (unsigned i = 0; i < pairs; i++) {
    size /= 2;
    points[i] = drawn[2 * i + lane / size];
    lane %= size;
  }
  points[pairs] = drawn[2 * pairs + lane];
}

static void begin(void) {
  uint64_t group = world.number / group_size(world.question->depth);
  uint64_t random = world.question->seed ^ (group + 1) << 20;
  next = 0;
  world_draw(&random);
  choose_points(&random);
  pool_begin(world_draw(&random), world.expected_threads);
  if (count)
    policy_ask_at(points[0]);
}

static PosixThread *at_point(void) {
  for (; next < count && points[next] <= world.steps; next++)
    pool_lower(world.self, world.question->depth - 2 - next);
  if (next < count)
    policy_ask_at(points[next]);
  return ready_highest();
}

const SchedulePolicy policy_act = {begin, at_point, ready_highest, pool_add,
                                   pool_yield};
