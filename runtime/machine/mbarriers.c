// mbarriers: objects in shared memory that count arrivals, phase after phase.
//
// What one does is in ptx/mbarrier.c.  What PTX calls opaque lies beside the
// memory, in a list of the block's; the word itself only changes with it.
// Whoever finds a phase over knows what all knew that have arrived
// (causality.c).
//
// A thread that asks whether a phase is over waits for it as long as others can
// go on.  If none can, or all go round loops, it is told "no".  So a thread
// that asks in a loop waits, and one that asks once goes on.  Many answers "no"
// in a row without any progress are a deadlock.
//
// Arrivals and bytes of asynchronous copies come as late as possible: when the
// threads of the block wait.

#include "runtime/machine/copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRUITLESS = 64, PENDING_BITS = 20 };

// ----------------------------------------------------------------- objects ---

static SharedMbarrier *find(const Group *group, const char *at) {
  for (size_t i = 0; i < group->mbarriers.count; i++)
    if (group->mbarriers.at[i].at == at && group->mbarriers.at[i].state.is_live)
      return &group->mbarriers.at[i];
  return NULL;
}

// Of the running thread's block, or another one of its cluster.
static SharedMbarrier *live(char *at, Group **group) {
  char *local = clusters_local(at);
  *group = machine.owner ? machine.owner : machine.self->group;
  machine.owner = NULL;
  SharedMbarrier *mbarrier = find(*group, local);
  if (!mbarrier)
    machine_fail(INCIDENT_DIVERGENCE, "no mbarrier has been initialised here");
  return mbarrier;
}

SharedMbarrier *mbarriers_live(char *at) {
  Group *group;
  SharedMbarrier *mbarrier = live(at, &group);
  if (group != machine.self->group)
    machine_fail(INCIDENT_DIVERGENCE,
                 "this can only be done with an mbarrier of the own block");
  return mbarrier;
}

static uint64_t phase_of(const SharedMbarrier *mbarrier) {
  return mbarrier->first + mbarrier->state.phase;
}

static uint64_t token_of(const SharedMbarrier *mbarrier) {
  return phase_of(mbarrier) << PENDING_BITS | mbarrier->state.pending;
}

// Something changes in it, and that is progress.
static void touch(const Group *group, const SharedMbarrier *mbarrier) {
  uint64_t word =
      (token_of(mbarrier) << 1 ^ (uint64_t)mbarrier->state.tx << 32) + 1;
  memcpy(clusters_now(group, mbarrier->at), &word, sizeof word);
  machine.fruitless = 0;
}

// Its place in the list stays its own as long as the block lives.
static SharedMbarrier *place_for(Group *group, char *at) {
  SharedMbarriers *all = &group->mbarriers;
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].at == at)
      return &all->at[i];
  if (all->count == MOST_MBARRIERS)
    machine_fail(INCIDENT_LIMIT, "more than %d mbarriers", MOST_MBARRIERS);
  SharedMbarrier *grown =
      machine_grown(all->at, all->count, &all->capacity, sizeof *grown);
  if (!grown)
    machine_fail(INCIDENT_LIMIT, "no memory for mbarriers");
  all->at = grown;
  SharedMbarrier *made = &all->at[all->count];
  *made = (SharedMbarrier){
      .at = at, .companion = FIRST_OF_MBARRIERS + (unsigned)all->count};
  all->count++;
  return made;
}

// --------------------------------------------------------------- mistakes ---

// Of arrivals that are too many or too few.
static void say_count(const Mbarrier *mbarrier, MbarrierEvent event,
                      char text[INCIDENT_TEXT]) {
  if (event.kind == MBARRIER_INIT)
    snprintf(text, INCIDENT_TEXT, "an mbarrier for %u arrivals", event.count);
  else if (event.kind == MBARRIER_RAISE)
    snprintf(text, INCIDENT_TEXT, "an mbarrier that waits for %u arrivals",
             mbarrier->pending + 1);
  else if (event.count && event.count <= mbarrier->pending)
    snprintf(text, INCIDENT_TEXT,
             "%u arrivals drop out of an mbarrier that expects %u", event.count,
             mbarrier->expected);
  else
    snprintf(text, INCIDENT_TEXT,
             "%u arrivals at an mbarrier whose phase expects %u more",
             event.count, mbarrier->pending);
}

// What is wrong with an event; false: nothing.
static bool is_wrong(const Mbarrier *mbarrier, MbarrierEvent event,
                     char text[INCIDENT_TEXT]) {
  Mbarrier next = *mbarrier;
  const char *sentence = "";
  switch (mbarrier_step(&next, event).mistake) {
  case MBARRIER_RIGHT:
    return false;
  case MBARRIER_COUNT:
  case MBARRIER_TOO_MANY:
    say_count(mbarrier, event, text);
    return true;
  case MBARRIER_DEAD:
    sentence = "no mbarrier has been initialised here";
    break;
  case MBARRIER_LIVE:
    sentence = "there is an mbarrier here that is still valid";
    break;
  case MBARRIER_TX:
    sentence = "more bytes than an mbarrier can count";
    break;
  case MBARRIER_COMPLETES:
    sentence = "an arrival with .noComplete is the last one of its phase";
    break;
  }
  snprintf(text, INCIDENT_TEXT, "%s", sentence);
  return true;
}

// Of the running thread.
static void check(const SharedMbarrier *mbarrier, MbarrierEvent event) {
  char text[INCIDENT_TEXT];
  if (is_wrong(&mbarrier->state, event, text))
    machine_fail(INCIDENT_DIVERGENCE, "%s", text);
}

// ------------------------------------------------------------------- lives ---

void mbarriers_init(char *at, uint32_t count) {
  MbarrierEvent event = {.kind = MBARRIER_INIT, .count = count};
  if ((uintptr_t)at % sizeof(uint64_t))
    machine_fail(INCIDENT_DIVERGENCE,
                 "an mbarrier at an address that is no multiple of 8");
  SharedMbarrier *mbarrier = place_for(machine.self->group, at);
  check(mbarrier, event);
  mbarrier->first = phase_of(mbarrier) + 2 - phase_of(mbarrier) % 2;
  mbarrier_step(&mbarrier->state, event);
  touch(machine.self->group, mbarrier);
  copies_check_init(at, sizeof(uint64_t));
}

void mbarriers_publish(void) {
  machine.self->fenced_inits = machine.self->inits;
}

void mbarriers_inval(char *at) {
  SharedMbarrier *mbarrier = mbarriers_live(at);
  mbarrier_step(&mbarrier->state, (MbarrierEvent){.kind = MBARRIER_INVAL});
  tidings_drop(&mbarrier->coming);
  tidings_drop(&mbarrier->over);
}

void mbarriers_forget(Group *group) {
  for (size_t i = 0; i < group->mbarriers.count; i++) {
    tidings_drop(&group->mbarriers.at[i].coming);
    tidings_drop(&group->mbarriers.at[i].over);
    copies_clear(&group->mbarriers.at[i].late);
  }
  free(group->mbarriers.at);
  group->mbarriers = (SharedMbarriers){0};
  copies_clear(&group->events);
}

// ------------------------------------------------------------------ phases ---

static void wake(SharedMbarrier *mbarrier, Thread *thread) {
  if (thread->state != THREAD_AT_MBARRIER ||
      thread->awaited.mbarrier != mbarrier->at)
    return;
  thread->awaited.is_over = true;
  if (machine.watches_races && !thread->awaited.is_relaxed)
    tidings_learn(&mbarrier->over, thread);
  machine_set_state(thread, THREAD_READY);
}

static void end_phase(Group *group, SharedMbarrier *mbarrier) {
  tidings_drop(&mbarrier->over);
  mbarrier->over = mbarrier->coming;
  mbarrier->coming = (Tidings){0};
  for (unsigned i = 0; i < group->count; i++)
    wake(mbarrier, &group->threads[i]);
}

static void take(Group *group, SharedMbarrier *mbarrier, MbarrierEvent event) {
  if (mbarrier_step(&mbarrier->state, event).completes)
    end_phase(group, mbarrier);
  touch(group, mbarrier);
}

void mbarriers_land(Group *group, SharedMbarrier *mbarrier,
                    const Thread *thread, MbarrierEvent event) {
  Incident incident = {.kind = INCIDENT_DIVERGENCE, .count = 1};
  if (machine.is_over)
    return;
  incident.actors[0] = machine_actor(thread);
  if (is_wrong(&mbarrier->state, event, incident.text))
    machine_stop(&incident);
  else
    take(group, mbarrier, event);
}

static uint64_t arrive(char *at, MbarrierEvent event, uint32_t how) {
  Group *group;
  SharedMbarrier *mbarrier = live(at, &group);
  uint64_t token = token_of(mbarrier);
  event.kind = how & ARRIVE_DROP ? MBARRIER_DROP : MBARRIER_ARRIVE;
  event.never_completes = how & ARRIVE_NO_COMPLETE;
  check(mbarrier, event);
  if (machine.watches_races && !(how & MBARRIER_RELAXED))
    tidings_add(&mbarrier->coming, machine.self);
  take(group, mbarrier, event);
  return token;
}

uint64_t mbarriers_arrive(char *at, uint32_t count, uint32_t how) {
  return arrive(at, (MbarrierEvent){.count = count}, how);
}

uint64_t mbarriers_arrive_expect(char *at, uint32_t bytes, uint32_t how) {
  return arrive(at, (MbarrierEvent){.count = 1, .bytes = bytes}, how);
}

static void count_bytes(char *at, MbarrierEventKind kind, uint32_t bytes) {
  Group *group;
  SharedMbarrier *mbarrier = live(at, &group);
  MbarrierEvent event = {.kind = kind, .bytes = bytes};
  check(mbarrier, event);
  take(group, mbarrier, event);
}

void mbarriers_expect(char *at, uint32_t bytes) {
  count_bytes(at, MBARRIER_EXPECT, bytes);
}

void mbarriers_complete(char *at, uint32_t bytes) {
  count_bytes(at, MBARRIER_COMPLETE, bytes);
}

uint32_t mbarriers_pending(uint64_t token) {
  return (uint32_t)(token & MBARRIER_MOST);
}

// ------------------------------------------------------------------- waits ---

static bool is_over(const SharedMbarrier *mbarrier, uint64_t token,
                    uint32_t how) {
  if (how & WAIT_PARITY)
    return mbarrier_is_over(&mbarrier->state, token & 1);
  return phase_of(mbarrier) != token >> PENDING_BITS;
}

static void check_token(const SharedMbarrier *mbarrier, uint64_t token,
                        uint32_t how) {
  uint64_t phase = token >> PENDING_BITS;
  if (!(how & WAIT_PARITY) && phase != phase_of(mbarrier) &&
      phase + 1 != phase_of(mbarrier))
    machine_fail(INCIDENT_DIVERGENCE,
                 "a wait for a phase of the mbarrier that is neither this one "
                 "nor the one before");
}

uint8_t mbarriers_wait(char *at, uint64_t token, uint32_t how) {
  Thread *self = machine.self;
  SharedMbarrier *mbarrier = mbarriers_live(at);
  bool is_relaxed = how & MBARRIER_RELAXED;
  check_token(mbarrier, token, how);
  if (is_over(mbarrier, token, how)) {
    if (machine.watches_races && !is_relaxed)
      tidings_learn(&mbarrier->over, self);
    return true;
  }
  self->awaited = (Awaited){.mbarrier = at, .is_relaxed = is_relaxed};
  machine_wait(THREAD_AT_MBARRIER);
  return self->awaited.is_over;
}

// An arrival that follows from copies has the place of one that is expected,
// or is one more.
void mbarriers_arrive_after_copies(char *at, bool is_expected) {
  SharedMbarrier *mbarrier = mbarriers_live(at);
  if (!is_expected) {
    MbarrierEvent raise = {.kind = MBARRIER_RAISE};
    check(mbarrier, raise);
    mbarrier_step(&mbarrier->state, raise);
  }
  check(mbarrier, (MbarrierEvent){.kind = MBARRIER_ARRIVE, .count = 1});
  copies_arrive_late(mbarrier);
  touch(machine.self->group, mbarrier);
}

static bool is_awaited(const Group *group, const SharedMbarrier *mbarrier) {
  for (unsigned i = 0; i < group->count; i++)
    if (group->threads[i].state == THREAD_AT_MBARRIER &&
        group->threads[i].awaited.mbarrier == mbarrier->at)
      return true;
  return false;
}

bool mbarriers_resolve(Group *group) {
  bool has_moved = false;
  for (size_t i = 0;
       group->in[THREAD_AT_MBARRIER] && i < group->mbarriers.count; i++) {
    SharedMbarrier *mbarrier = &group->mbarriers.at[i];
    if (!mbarrier->state.is_live || !mbarrier->late.count ||
        !is_awaited(group, mbarrier))
      continue;
    machine_enter(group);
    copies_come_late(group, mbarrier);
    has_moved = true;
  }
  return has_moved;
}

bool mbarriers_time_out(void) {
  bool has_moved = false;
  if (machine.fruitless >= MOST_FRUITLESS)
    return false;
  machine.fruitless++;
  for (unsigned i = 0; i < machine.group_count; i++)
    for (unsigned t = 0; t < machine.groups[i].count; t++) {
      Thread *thread = &machine.groups[i].threads[t];
      if (thread->state != THREAD_AT_MBARRIER)
        continue;
      thread->awaited.is_over = false;
      machine_set_state(thread, THREAD_READY);
      has_moved = true;
    }
  return has_moved;
}
