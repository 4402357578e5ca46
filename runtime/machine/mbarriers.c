// mbarriers: objects in shared memory that count arrivals, phase after phase.
//
// The state that PTX calls opaque is kept outside of the memory, in a list of
// the block; the word itself only changes when the state does.  A phase is over
// when all arrivals that it expects have come, and as many bytes as were
// announced.  A thread that finds it over knows what all that have arrived knew
// then (causality.c).
//
// A thread that asks whether a phase is over waits for it as long as others can
// go on.  If none can, or all go round loops, it is told "no".  So a thread
// that asks in a loop waits, and one that asks once goes on.  Many answers "no"
// in a row without any progress are a deadlock.
//
// Arrivals and bytes of asynchronous copies come as late as possible: when the
// threads of the block wait.

#include "runtime/machine/copies.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ARRIVALS = (1 << 20) - 1, MOST_FRUITLESS = 64, PENDING_BITS = 20 };

// ----------------------------------------------------------------- objects ---

static Mbarrier *find(const Group *group, const char *at) {
  for (size_t i = 0; i < group->mbarriers.count; i++)
    if (group->mbarriers.at[i].at == at && group->mbarriers.at[i].is_live)
      return &group->mbarriers.at[i];
  return NULL;
}

// Of the running thread's block, or another one of its cluster.
static Mbarrier *live(char *at, Group **group) {
  char *local = clusters_local(at);
  *group = machine.owner ? machine.owner : machine.self->group;
  machine.owner = NULL;
  Mbarrier *mbarrier = find(*group, local);
  if (!mbarrier)
    machine_fail(INCIDENT_DIVERGENCE, "no mbarrier has been initialised here");
  return mbarrier;
}

Mbarrier *mbarriers_live(char *at) {
  Group *group;
  Mbarrier *mbarrier = live(at, &group);
  if (group != machine.self->group)
    machine_fail(INCIDENT_DIVERGENCE,
                 "this can only be done with an mbarrier of the own block");
  return mbarrier;
}

// Something changes in it, and that is progress.
static void touch(const Group *group, const Mbarrier *mbarrier) {
  uint64_t word = mbarrier->phase << PENDING_BITS | mbarrier->pending;
  word = (word << 1 ^ (uint64_t)mbarrier->bytes << 32) + 1;
  memcpy(clusters_now(group, mbarrier->at), &word, sizeof word);
  machine.fruitless = 0;
}

// Its place in the list stays its own as long as the block lives.
static Mbarrier *place_for(Group *group, char *at) {
  Mbarriers *all = &group->mbarriers;
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].at == at)
      return &all->at[i];
  if (all->count == MOST_MBARRIERS)
    machine_fail(INCIDENT_LIMIT, "more than %d mbarriers", MOST_MBARRIERS);
  Mbarrier *grown =
      machine_grown(all->at, all->count, &all->capacity, sizeof *grown);
  if (!grown)
    machine_fail(INCIDENT_LIMIT, "no memory for mbarriers");
  all->at = grown;
  Mbarrier *made = &all->at[all->count];
  *made = (Mbarrier){.at = at,
                     .companion = FIRST_OF_MBARRIERS + (unsigned)all->count};
  all->count++;
  return made;
}

void mbarriers_init(char *at, uint32_t count) {
  if (!count || count > MOST_ARRIVALS)
    machine_fail(INCIDENT_DIVERGENCE, "an mbarrier for %u arrivals", count);
  if ((uintptr_t)at % sizeof(uint64_t))
    machine_fail(INCIDENT_DIVERGENCE,
                 "an mbarrier at an address that is no multiple of 8");
  Mbarrier *mbarrier = place_for(machine.self->group, at);
  if (mbarrier->is_live)
    machine_fail(INCIDENT_DIVERGENCE,
                 "there is an mbarrier here that is still valid");
  mbarrier->is_live = true;
  mbarrier->expected = mbarrier->pending = count;
  mbarrier->bytes = 0;
  mbarrier->phase += 2 - mbarrier->phase % 2; // even, and none it had before
  touch(machine.self->group, mbarrier);
  copies_check_init(at, sizeof(uint64_t));
}

void mbarriers_publish(void) {
  machine.self->fenced_inits = machine.self->inits;
}

void mbarriers_inval(char *at) {
  Mbarrier *mbarrier = mbarriers_live(at);
  mbarrier->is_live = false;
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
  group->mbarriers = (Mbarriers){0};
  copies_clear(&group->events);
}

// ------------------------------------------------------------------ phases ---

static void wake(Mbarrier *mbarrier, Thread *thread) {
  if (thread->state != THREAD_AT_MBARRIER ||
      thread->awaited.mbarrier != mbarrier->at)
    return;
  thread->awaited.is_over = true;
  if (machine.watches_races && !thread->awaited.is_relaxed)
    tidings_learn(&mbarrier->over, thread);
  machine_set_state(thread, THREAD_READY);
}

static void end_phase(Group *group, Mbarrier *mbarrier) {
  if (mbarrier->pending || mbarrier->bytes)
    return;
  tidings_drop(&mbarrier->over);
  mbarrier->over = mbarrier->coming;
  mbarrier->coming = (Tidings){0};
  mbarrier->phase++;
  mbarrier->pending = mbarrier->expected;
  for (unsigned i = 0; i < group->count; i++)
    wake(mbarrier, &group->threads[i]);
}

void mbarriers_take(Group *group, Mbarrier *mbarrier, uint32_t arrivals,
                    int64_t bytes) {
  mbarrier->pending -= arrivals;
  mbarrier->bytes += bytes;
  end_phase(group, mbarrier);
  touch(group, mbarrier);
}

static void check_arrivals(const Mbarrier *mbarrier, uint32_t count,
                           uint32_t how) {
  if (!count || count > mbarrier->pending)
    machine_fail(INCIDENT_DIVERGENCE,
                 "%u arrivals at an mbarrier whose phase expects %u more",
                 count, mbarrier->pending);
  if (how & ARRIVE_NO_COMPLETE && count == mbarrier->pending)
    machine_fail(INCIDENT_DIVERGENCE,
                 "an arrival with .noComplete is the last one of its phase");
}

uint64_t mbarriers_arrive(char *at, uint32_t count, uint32_t how) {
  Group *group;
  Mbarrier *mbarrier = live(at, &group);
  uint64_t token = mbarrier->phase << PENDING_BITS | mbarrier->pending;
  check_arrivals(mbarrier, count, how);
  if (machine.watches_races && !(how & MBARRIER_RELAXED))
    tidings_add(&mbarrier->coming, machine.self);
  if (how & ARRIVE_DROP)
    mbarrier->expected -= count;
  mbarriers_take(group, mbarrier, count, 0);
  return token;
}

uint64_t mbarriers_arrive_expect(char *at, uint32_t bytes, uint32_t how) {
  Group *group;
  live(at, &group)->bytes += bytes;
  return mbarriers_arrive(at, 1, how);
}

void mbarriers_expect(char *at, uint32_t bytes) {
  Group *group;
  Mbarrier *mbarrier = live(at, &group);
  mbarriers_take(group, mbarrier, 0, bytes);
}

void mbarriers_complete(char *at, uint32_t bytes) {
  Group *group;
  Mbarrier *mbarrier = live(at, &group);
  mbarriers_take(group, mbarrier, 0, -(int64_t)bytes);
}

uint32_t mbarriers_pending(uint64_t token) {
  return (uint32_t)(token & MOST_ARRIVALS);
}

// ------------------------------------------------------------------- waits ---

static bool is_over(const Mbarrier *mbarrier, uint64_t token, uint32_t how) {
  if (how & WAIT_PARITY)
    return (mbarrier->phase & 1) != (token & 1);
  return mbarrier->phase != token >> PENDING_BITS;
}

static void check_token(const Mbarrier *mbarrier, uint64_t token,
                        uint32_t how) {
  uint64_t phase = token >> PENDING_BITS;
  if (!(how & WAIT_PARITY) && phase != mbarrier->phase &&
      phase + 1 != mbarrier->phase)
    machine_fail(INCIDENT_DIVERGENCE,
                 "a wait for a phase of the mbarrier that is neither this one "
                 "nor the one before");
}

uint8_t mbarriers_wait(char *at, uint64_t token, uint32_t how) {
  Thread *self = machine.self;
  Mbarrier *mbarrier = mbarriers_live(at);
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
  Mbarrier *mbarrier = mbarriers_live(at);
  if (!is_expected)
    mbarrier->pending++;
  check_arrivals(mbarrier, 1, 0);
  copies_arrive_late(mbarrier);
  touch(machine.self->group, mbarrier);
}

static bool is_awaited(const Group *group, const Mbarrier *mbarrier) {
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
    Mbarrier *mbarrier = &group->mbarriers.at[i];
    if (!mbarrier->is_live || !mbarrier->late.count ||
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
