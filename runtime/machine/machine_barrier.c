// Barriers of a block, for all of its threads.
//
// A barrier opens when all threads of the block wait at it; in a whole program
// also when the others have left, which is reported.  Threads that wait at
// different ones, or for one that has left, have diverged.  Where the threads
// are iterations of a loop (runtime/jit/block.c) nobody waits: the block tells
// where each of them has come to, and that is the same for all or a mistake.

#include "runtime/machine/machine.h"

void machine_release_all(Group *group, ThreadState state) {
  for (unsigned i = 0; i < group->count; i++)
    if (group->threads[i].state == state)
      machine_set_state(&group->threads[i], THREAD_READY);
}

// Two threads of the block that should be at one barrier and are not, or a
// thread that waits for one that has left.
static Incident divergence(Group *group) {
  Incident incident = {.kind = INCIDENT_DIVERGENCE, .count = 2};
  Thread *first = NULL, *other = NULL;
  for (unsigned i = 0; i < group->count; i++) {
    Thread *thread = &group->threads[i];
    if (!first && thread->state == THREAD_AT_BARRIER)
      first = thread;
  }
  for (unsigned i = 0; i < group->count && !other; i++) {
    Thread *thread = &group->threads[i];
    if (thread->state != THREAD_AT_BARRIER ||
        !machine_same_place(thread->site, first->site))
      other = thread;
  }
  incident.actors[0] = machine_actor(first);
  incident.actors[1] = machine_actor(other);
  return incident;
}

void machine_diverge(Group *group) {
  Incident incident = divergence(group);
  machine_stop(&incident);
}

// Each of them waits where it is, or has left.
static void part(Group *group, const uint32_t *sites) {
  machine.is_blind = false;
  races_settle();
  machine.self = group->threads;
  group->count = machine.threads;
  for (unsigned i = 0; i < group->count; i++) {
    group->threads[i].site = sites[i];
    group->threads[i].state =
        sites[i] == NO_SITE ? THREAD_DONE : THREAD_AT_BARRIER;
  }
  machine_diverge(group);
  fiber_switch(&machine.self->fiber, &machine.scheduler);
}

uint32_t machine_meet(const uint32_t *sites) {
  for (unsigned i = 1; i < machine.threads; i++)
    if (sites[i] != sites[0])
      part(machine.self->group, sites);
  return sites[0];
}

// Does every thread that waits wait at the same barrier?
static bool is_one_barrier(const Group *group) {
  const Thread *first = NULL;
  for (unsigned i = 0; i < group->count; i++) {
    const Thread *thread = &group->threads[i];
    if (thread->state != THREAD_AT_BARRIER)
      continue;
    if (!first)
      first = thread;
    if (!machine_same_place(thread->site, first->site))
      return false;
  }
  return true;
}

// Nobody else will come.
static bool is_barrier_full(const Group *group) {
  unsigned here = group->in[THREAD_AT_BARRIER];
  if (machine.run->passes_left)
    return here && here + group->in[THREAD_DONE] == group->count;
  return here == group->count;
}

// What came before the barrier comes before what follows.
static void pass(Group *group) {
  if (machine.watches_races)
    causality_barrier(group);
  group->interval++;
  group->moment = ++machine.moments;
}

void machine_pass(void) {
  races_settle();
  pass(machine.self->group);
}

bool machine_open_barrier(Group *group) {
  if (!is_barrier_full(group))
    return false;
  if (!is_one_barrier(group)) {
    machine_diverge(group);
    return false;
  }
  if (group->in[THREAD_DONE]) {
    Incident incident = divergence(group);
    machine_note(&incident);
  }
  if (group->threads->collects) {
    machine_release_all(group, THREAD_AT_BARRIER);
    return true;
  }
  pass(group);
  group->result = group->votes;
  group->votes = 0;
  machine_release_all(group, THREAD_AT_BARRIER);
  return true;
}
