// Barriers with a number and a count, as PTX's bar and barrier have them.
//
// What a warp does at one is in ptx/named_barrier.c.  Here threads become
// warps: an instruction waits for all lanes of its warp that have not left the
// kernel, and lanes of .aligned instructions must be at one place.  Barrier 0
// without a count is __syncthreads, and waits for warps that have left, too.
//
// A thread that goes on knows what all that have come knew (causality.c).

#include "runtime/machine/machine.h"

#include <stdio.h>

static unsigned all_threads(void) {
  return (machine.threads + LANES - 1) / LANES * LANES;
}

static uint32_t meet(NamedMeeting meeting) {
  Thread *self = machine.self;
  uint32_t number = meeting.number, count = meeting.count;
  if (number >= NAMED_BARRIERS)
    machine_fail(INCIDENT_DIVERGENCE, "barrier %u, and there are %d", number,
                 NAMED_BARRIERS);
  if (!count || count % LANES)
    machine_fail(INCIDENT_DIVERGENCE,
                 "a barrier for %u threads, which is no multiple of %d", count,
                 LANES);
  self->meeting = meeting;
  machine_wait(THREAD_AT_NAMED);
  return self->meeting.vote;
}

static uint32_t named_meet(NamedEventKind kind, bool is_aligned,
                           uint32_t number, uint32_t count, uint32_t vote) {
  return meet((NamedMeeting){.kind = kind,
                             .is_aligned = is_aligned,
                             .number = number,
                             .count = count,
                             .vote = vote & 1});
}

uint32_t named_meet_all(NamedEventKind kind, bool is_aligned, uint32_t number,
                        uint32_t vote) {
  return meet((NamedMeeting){.kind = kind,
                             .is_aligned = is_aligned,
                             .is_for_all = number > 0,
                             .number = number,
                             .count = all_threads(),
                             .vote = vote & 1});
}

void named_forget(Group *group) {
  for (unsigned i = 0; i < NAMED_BARRIERS; i++)
    tidings_drop(&group->named[i].tidings);
}

// ------------------------------------------------------------- incidents ---

#define MIXED "a reduction and another instruction meet at one barrier"

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

// ------------------------------------------------------------ generations ---

static void let_go(GroupBarrier *barrier, Thread *thread) {
  if (machine.watches_races)
    tidings_learn_back(&barrier->tidings, thread);
  thread->meeting.vote = barrier->votes;
  thread->meeting.voters = barrier->voters;
  machine_set_state(thread, THREAD_READY);
}

// Those go on who have waited, if the generation is over.
static void release(Group *group, GroupBarrier *barrier, NamedEffect effect) {
  if (!effect.completes)
    return;
  for (unsigned i = 0; i < group->count; i++) {
    Thread *thread = &group->threads[i];
    if (thread->state == THREAD_AT_NAMED && thread->meeting.has_come &&
        &group->named[thread->meeting.number] == barrier)
      let_go(barrier, thread);
  }
  tidings_drop(&barrier->tidings);
  *barrier = (GroupBarrier){.state = barrier->state};
}

static uint32_t warps_left(const Group *group) {
  uint32_t left = 0;
  for (unsigned i = 0; i < group->count; i++)
    if (group->threads[i].state != THREAD_DONE)
      left |= UINT32_C(1) << i / LANES;
  return left;
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
  const NamedMeeting *a = &leader->meeting, *b = &thread->meeting;
  if (a->count != b->count)
    return disagree_on_count(leader, b->count, thread);
  if ((a->is_aligned || b->is_aligned) &&
      !machine_same_place(leader->site, thread->site))
    return disagree(leader, thread,
                    "lanes of one warp are at one barrier at different places, "
                    "which are .aligned");
  if ((a->kind == NAMED_REDUCE) != (b->kind == NAMED_REDUCE))
    return disagree(leader, thread, MIXED);
  return true;
}

// It goes with those that have come before.  False: that has been told.
static bool fits(const GroupBarrier *barrier, const Thread *leader,
                 NamedEvent event) {
  uint32_t mistakes = named_barrier_mistakes(&barrier->state, event);
  if (mistakes >> NAMED_TWICE & 1)
    return comes_twice(leader);
  if (mistakes >> NAMED_OTHER_COUNT & 1)
    return disagree_on_count(leader, barrier->state.expected, barrier->first);
  if (mistakes >> NAMED_MIXED & 1)
    return disagree(leader, barrier->first, MIXED);
  return true;
}

static void take_lane(GroupBarrier *barrier, Thread *thread) {
  if (machine.watches_races)
    tidings_add(&barrier->tidings, thread);
  barrier->votes += thread->meeting.vote;
  barrier->voters++;
  thread->meeting.has_come = true;
  if (thread->meeting.kind == NAMED_ARRIVE)
    machine_set_state(thread, THREAD_READY);
}

// What the warp does; it waits if some lane of it does.
static NamedEvent event_of(const Group *group, unsigned first,
                           const Thread *leader) {
  const NamedMeeting *meeting = &leader->meeting;
  NamedEvent event = {meeting->kind, meeting->is_for_all, meeting->count,
                      first / LANES};
  for (unsigned i = first; i < first + LANES && i < group->count; i++) {
    const Thread *thread = &group->threads[i];
    if (thread->state == THREAD_DONE || thread->meeting.kind == NAMED_ARRIVE)
      continue;
    if (event.kind == NAMED_ARRIVE)
      event.kind = thread->meeting.kind;
    event.is_for_all &= thread->meeting.is_for_all;
  }
  return event;
}

static bool take_warp(Group *group, unsigned first, Thread *leader) {
  GroupBarrier *barrier = &group->named[leader->meeting.number];
  NamedEvent event = event_of(group, first, leader);
  if (!fits(barrier, leader, event))
    return false;
  for (unsigned i = first; i < first + LANES && i < group->count; i++)
    if (group->threads[i].state != THREAD_DONE &&
        !is_one(leader, &group->threads[i]))
      return false;
  if (!barrier->state.met)
    barrier->first = leader;
  for (unsigned i = first; i < first + LANES && i < group->count; i++)
    if (group->threads[i].state != THREAD_DONE)
      take_lane(barrier, &group->threads[i]);
  release(group, barrier, named_barrier_meet(&barrier->state, event));
  return true;
}

// Without a count nobody waits for warps that have left.
static bool forget_left(Group *group) {
  bool has_moved = false;
  uint32_t left = warps_left(group);
  for (unsigned i = 0; i < NAMED_BARRIERS; i++) {
    NamedEffect effect = named_barrier_exit(&group->named[i].state, left);
    release(group, &group->named[i], effect);
    has_moved |= effect.completes;
  }
  return has_moved;
}

bool named_resolve(Group *group) {
  bool has_moved = false;
  for (unsigned i = 0; group->in[THREAD_AT_NAMED] && i < group->count;
       i += LANES) {
    Thread *leader = whole_warp(group, i);
    if (!leader)
      continue;
    if (!take_warp(group, i, leader))
      return false;
    has_moved = true;
  }
  if (group->in[THREAD_AT_NAMED] && group->in[THREAD_DONE])
    has_moved |= forget_left(group);
  return has_moved;
}

// ------------------------------------------------------------ instructions ---

void named_sync(uint32_t number, uint32_t count) {
  named_meet(NAMED_SYNC, false, number, count, 0);
}

void named_sync_aligned(uint32_t number, uint32_t count) {
  named_meet(NAMED_SYNC, true, number, count, 0);
}

void named_arrive(uint32_t number, uint32_t count) {
  named_meet(NAMED_ARRIVE, false, number, count, 0);
}

void named_arrive_aligned(uint32_t number, uint32_t count) {
  named_meet(NAMED_ARRIVE, true, number, count, 0);
}

#define REDUCE(name, is_aligned, type, outcome)                                \
  type named_##name(uint32_t number, uint32_t count, uint32_t vote) {          \
    const NamedMeeting *meeting = &machine.self->meeting;                      \
    named_meet(NAMED_REDUCE, is_aligned, number, count, vote);                 \
    return outcome;                                                            \
  }
REDUCE(count, false, uint32_t, meeting->vote)
REDUCE(count_aligned, true, uint32_t, meeting->vote)
REDUCE(and, false, uint8_t, meeting->vote == meeting->voters)
REDUCE(and_aligned, true, uint8_t, meeting->vote == meeting->voters)
REDUCE(or, false, uint8_t, meeting->vote > 0)
REDUCE(or_aligned, true, uint8_t, meeting->vote > 0)
#undef REDUCE
