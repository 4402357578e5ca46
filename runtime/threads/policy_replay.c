// A schedule that is known: threads go on, but for its deviations.
//
// A thread finds its next deviation by its own steps, so that what is left of
// a schedule still means the same if some deviations are taken out.  One that
// cannot be followed, since that thread is not there or waits, is passed over.

#include "runtime/threads/world.h"

static const ThreadSchedule *schedule(void) { return world.question->replayed; }

// The thread's next one, from `from` on.
static uint32_t next_of(uint32_t thread, uint32_t from) {
  const ThreadSchedule *all = schedule();
  while (from < all->count && all->at[from].thread != thread)
    from++;
  return from;
}

static const Deviation *due(bool is_forced) {
  PosixThread *self = world.self;
  uint64_t own = world_own_steps();
  const ThreadSchedule *all = schedule();
  uint32_t i = next_of(self->index, self->next_deviation);
  while (i < all->count && all->at[i].step < own)
    i = next_of(self->index, i + 1);
  self->next_deviation = i;
  if (i == all->count || all->at[i].step != own ||
      all->at[i].is_forced != is_forced)
    return NULL;
  self->next_deviation = i + 1;
  return &all->at[i];
}

static PosixThread *target(const Deviation *deviation) {
  if (!deviation || deviation->to >= world.count)
    return NULL;
  PosixThread *thread = &world.threads[deviation->to];
  return thread_is_ready(thread) ? thread : NULL;
}

static void begin(void) { policy_ask_at(1); }

static PosixThread *at_point(void) {
  PosixThread *thread = target(due(false));
  policy_ask_at(world.steps + 1);
  return thread ? thread : world.self;
}

static PosixThread *choose(void) {
  PosixThread *thread = target(due(true));
  return thread ? thread : ready_after(world.self);
}

const SchedulePolicy policy_replay = {begin, at_point, choose, policy_in_order,
                                      policy_no_yield};
