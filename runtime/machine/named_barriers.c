// Barriers with a number and a count, as PTX's bar and barrier have them.
//
// A warp comes as a whole: an instruction waits for all lanes of its warp that
// have not left the kernel, and then counts for 32 threads.  The first warp of
// a generation says how many threads the generation is for, and when so many
// have come it is over: the threads that sync or reduce go on; those that only
// arrive never waited.  Lanes of .aligned instructions must be at one place.
// Without a count a barrier is for all warps of the block, and, as
// __syncthreads, not without those that have left.
//
// A thread that goes on knows what all that have come knew (causality.c).

#include "runtime/machine/machine.h"

#include <stdio.h>

static unsigned all_threads(void) {
  return (machine.threads + LANES - 1) / LANES * LANES;
}

uint32_t named_meet(MeetingKind kind, bool is_aligned, uint32_t number,
                    uint32_t count, uint32_t vote) {
  Thread *self = machine.self;
  if (number >= NAMED_BARRIERS)
    machine_fail(INCIDENT_DIVERGENCE, "barrier %u, and there are %d", number,
                 NAMED_BARRIERS);
  if (!count || count % LANES)
    machine_fail(INCIDENT_DIVERGENCE,
                 "a barrier for %u threads, which is no multiple of %d", count,
                 LANES);
  self->meeting = (Meeting){.kind = kind,
                            .is_aligned = is_aligned,
                            .number = number,
                            .count = count,
                            .vote = vote & 1};
  machine_wait(THREAD_AT_NAMED);
  return self->meeting.vote;
}

uint32_t named_meet_all(MeetingKind kind, bool is_aligned, uint32_t number,
                        uint32_t vote) {
  return named_meet(kind, is_aligned, number, all_threads(), vote);
}

void named_forget(Group *group) {
  for (unsigned i = 0; i < NAMED_BARRIERS; i++)
    tidings_drop(&group->named[i].tidings);
}

// ------------------------------------------------------------- incidents ---

static bool disagree(const Thread *thread, const Thread *other,
                     const char *sentence) {
  Incident incident = {.kind = INCIDENT_DIVERGENCE, .count = 2};
  incident.actors[0] = machine_actor(thread);
  incident.actors[1] = machine_actor(other);
  snprintf(incident.text, sizeof incident.text, "%s", sentence);
  machine_stop(&incident);
  return false;
}

static bool comes_twice(const Thread *thread) {
  Incident incident = {.kind = INCIDENT_DIVERGENCE, .count = 1};
  incident.actors[0] = machine_actor(thread);
  snprintf(incident.text, sizeof incident.text,
           "this warp comes to barrier %u again, before all others have come",
           thread->meeting.number);
  machine_stop(&incident);
  return false;
}

static bool disagree_on_count(const Thread *thread, uint32_t there,
                              const Thread *other) {
  char text[INCIDENT_TEXT];
  snprintf(text, sizeof text,
           "barrier %u is for %u threads here, and for %u there",
           thread->meeting.number, thread->meeting.count, there);
  return disagree(thread, other, text);
}

// -------------------------------------------------------------- arrivals ---

static bool is_coming(const Thread *thread) {
  return thread->state == THREAD_AT_NAMED && !thread->meeting.has_come;
}

// All lanes of the warp that are left stand before one barrier; of these the
// first, else NULL.
static Thread *whole_warp(Group *group, unsigned first) {
  Thread *leader = NULL;
  for (unsigned i = first; i < first + LANES && i < group->count; i++) {
    Thread *thread = &group->threads[i];
    if (thread->state == THREAD_DONE)
      continue;
    if (!is_coming(thread))
      return NULL;
    if (leader && leader->meeting.number != thread->meeting.number)
      return NULL;
    leader = leader ? leader : thread;
  }
  return leader;
}

// The lanes mean the same.  False: that has been told.
static bool is_one(const Thread *leader, const Thread *thread) {
  const Meeting *a = &leader->meeting, *b = &thread->meeting;
  if (a->count != b->count)
    return disagree_on_count(leader, b->count, thread);
  if ((a->is_aligned || b->is_aligned) &&
      !machine_same_place(leader->site, thread->site))
    return disagree(leader, thread,
                    "lanes of one warp are at one barrier at different places, "
                    "which are .aligned");
  return true;
}

// It goes with those that have come before.  False: that has been told.
static bool fits(const NamedBarrier *barrier, const Thread *thread) {
  const Meeting *meeting = &thread->meeting;
  if (!barrier->come)
    return true;
  if (barrier->count != meeting->count)
    return disagree_on_count(thread, barrier->count, barrier->first);
  if (barrier->reduces != (meeting->kind == MEETING_REDUCE))
    return disagree(thread, barrier->first,
                    "a reduction and another instruction meet at one barrier");
  return true;
}

static void take_lane(NamedBarrier *barrier, Thread *thread) {
  if (machine.watches_races)
    tidings_add(&barrier->tidings, thread);
  barrier->votes += thread->meeting.vote;
  barrier->voters++;
  thread->meeting.has_come = true;
  if (thread->meeting.kind == MEETING_ARRIVE)
    machine_set_state(thread, THREAD_READY);
}

static bool take_warp(Group *group, unsigned first, Thread *leader) {
  NamedBarrier *barrier = &group->named[leader->meeting.number];
  uint32_t warp = UINT32_C(1) << first / LANES;
  if (barrier->warps & warp)
    return comes_twice(leader);
  for (unsigned i = first; i < first + LANES && i < group->count; i++) {
    Thread *thread = &group->threads[i];
    if (thread->state != THREAD_DONE &&
        (!is_one(leader, thread) || !fits(barrier, thread)))
      return false;
  }
  if (!barrier->come) {
    barrier->count = leader->meeting.count;
    barrier->reduces = leader->meeting.kind == MEETING_REDUCE;
    barrier->first = leader;
  }
  for (unsigned i = first; i < first + LANES && i < group->count; i++)
    if (group->threads[i].state != THREAD_DONE)
      take_lane(barrier, &group->threads[i]);
  barrier->come += LANES;
  barrier->warps |= warp;
  return true;
}

// ------------------------------------------------------------ generations ---

static void let_go(NamedBarrier *barrier, Thread *thread) {
  if (machine.watches_races)
    tidings_learn_back(&barrier->tidings, thread);
  thread->meeting.vote = barrier->votes;
  thread->meeting.voters = barrier->voters;
  machine_set_state(thread, THREAD_READY);
}

static void complete(Group *group, unsigned number) {
  NamedBarrier *barrier = &group->named[number];
  for (unsigned i = 0; i < group->count; i++) {
    Thread *thread = &group->threads[i];
    if (thread->state == THREAD_AT_NAMED && thread->meeting.has_come &&
        thread->meeting.number == number)
      let_go(barrier, thread);
  }
  tidings_drop(&barrier->tidings);
  *barrier = (NamedBarrier){0};
}

bool named_resolve(Group *group) {
  bool has_moved = false;
  for (unsigned i = 0; group->in[THREAD_AT_NAMED] && i < group->count;
       i += LANES) {
    Thread *leader = whole_warp(group, i);
    if (!leader)
      continue;
    unsigned number = leader->meeting.number;
    if (!take_warp(group, i, leader))
      return false;
    if (group->named[number].come == group->named[number].count)
      complete(group, number);
    has_moved = true;
  }
  return has_moved;
}

// ------------------------------------------------------------ instructions ---

void named_sync(uint32_t number, uint32_t count) {
  named_meet(MEETING_SYNC, false, number, count, 0);
}

void named_sync_aligned(uint32_t number, uint32_t count) {
  named_meet(MEETING_SYNC, true, number, count, 0);
}

void named_arrive(uint32_t number, uint32_t count) {
  named_meet(MEETING_ARRIVE, false, number, count, 0);
}

void named_arrive_aligned(uint32_t number, uint32_t count) {
  named_meet(MEETING_ARRIVE, true, number, count, 0);
}

#define REDUCE(name, is_aligned, type, outcome)                                \
  type named_##name(uint32_t number, uint32_t count, uint32_t vote) {          \
    const Meeting *meeting = &machine.self->meeting;                           \
    named_meet(MEETING_REDUCE, is_aligned, number, count, vote);               \
    return outcome;                                                            \
  }
REDUCE(count, false, uint32_t, meeting->vote)
REDUCE(count_aligned, true, uint32_t, meeting->vote)
REDUCE(and, false, uint8_t, meeting->vote == meeting->voters)
REDUCE(and_aligned, true, uint8_t, meeting->vote == meeting->voters)
REDUCE(or, false, uint8_t, meeting->vote > 0)
REDUCE(or_aligned, true, uint8_t, meeting->vote > 0)
#undef REDUCE
