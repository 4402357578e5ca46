// Nobody can run any more, and somebody waits.
//
// Where threads of a block wait at __syncthreads and others are somewhere else,
// that is barrier divergence.  Everything else is a deadlock: threads wait for
// others of their warp, of the cluster, of the grid, or at numbered barriers
// that too few come to.  The report says for each barrier who has come and who
// is missing, and names two threads of which each waits for the other.

#include "runtime/machine/copies.h"

#include <stdarg.h>

static Thread *find_waiting(ThreadState state) {
  for (unsigned i = 0; i < machine.group_count; i++)
    for (unsigned t = 0; t < machine.groups[i].count; t++)
      if (machine.groups[i].threads[t].state == state)
        return &machine.groups[i].threads[t];
  return NULL;
}

// -------------------------------------------------------------- the state ---

typedef struct Sentence {
  char *text;
  size_t length;
} Sentence;

static void PRINTF(2, 3) say(Sentence *sentence, const char *fmt, ...) {
  va_list args;
  size_t room = INCIDENT_TEXT - sentence->length;
  int length = 0;
  if (sentence->length)
    length = snprintf(sentence->text + sentence->length, room, ", ");
  sentence->length += (size_t)length < room ? (size_t)length : 0;
  room = INCIDENT_TEXT - sentence->length;
  va_start(args, fmt);
  length = vsnprintf(sentence->text + sentence->length, room, fmt, args);
  va_end(args);
  sentence->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void say_barriers(const Group *group, Sentence *sentence) {
  for (unsigned i = 0; i < NAMED_BARRIERS; i++)
    if (group->named[i].state.met)
      say(sentence, "barrier %u has %u of %u threads", i,
          group->named[i].state.met, group->named[i].state.expected);
}

// Those that threads wait for, by the variable they are in.
static void say_mbarriers(const Group *group, Sentence *sentence) {
  const Run *run = machine.run;
  for (size_t i = 0; i < group->mbarriers.count; i++) {
    const SharedMbarrier *mbarrier = &group->mbarriers.at[i];
    const Region *region = region_find(mbarrier->at);
    unsigned waits = 0;
    for (unsigned t = 0; t < group->count; t++)
      waits += group->threads[t].state == THREAD_AT_MBARRIER &&
               group->threads[t].awaited.mbarrier == mbarrier->at;
    if (!waits || !region)
      continue;
    say(sentence, "mbarrier '%s' (byte %d) lacks %u of %u arrivals",
        run->code->variables.at[(size_t)region->array - run->buffers.count]
            .name,
        (int)(mbarrier->at - region->at), mbarrier->state.pending,
        mbarrier->state.expected);
    if (mbarrier->state.tx)
      say(sentence, "%lld bytes", (long long)mbarrier->state.tx);
  }
}

static void say_where(const Group *group, Sentence *sentence) {
  unsigned waits = 0;
  for (unsigned i = 0; i < group->count; i++)
    waits += group->threads[i].state == THREAD_AT_NAMED &&
             !group->threads[i].meeting.has_come;
  if (waits)
    say(sentence, "%u threads wait at one for the rest of their warp", waits);
  if (group->in[THREAD_AT_BARRIER])
    say(sentence, "%u threads are at __syncthreads",
        group->in[THREAD_AT_BARRIER]);
  if (group->in[THREAD_AT_CLUSTER])
    say(sentence, "%u threads are at the barrier of the cluster",
        group->in[THREAD_AT_CLUSTER]);
  if (group->in[THREAD_DONE])
    say(sentence, "%u threads have left", group->in[THREAD_DONE]);
}

static bool is_elsewhere(const Thread *thread, const Thread *first) {
  return thread->state != first->state ||
         !machine_same_place(thread->site, first->site);
}

// A thread that waits somewhere else, or if there is none has left.
static const Thread *find_other(const Thread *first) {
  const Group *group = first->group;
  const Thread *gone = NULL;
  for (unsigned i = 0; i < group->count; i++) {
    const Thread *other = &group->threads[i];
    if (other->state == THREAD_DONE)
      gone = other;
    else if (is_elsewhere(other, first))
      return other;
  }
  return gone;
}

static void tell_arrivals(const Thread *first) {
  Incident incident = {.kind = INCIDENT_DEADLOCK, .count = 1};
  const Thread *other = find_other(first);
  Sentence sentence = {.text = incident.text};
  incident.actors[0] = machine_actor(first);
  if (other)
    incident.actors[incident.count++] = machine_actor(other);
  say_barriers(first->group, &sentence);
  say_mbarriers(first->group, &sentence);
  say_where(first->group, &sentence);
  machine_stop(&incident);
}

// A lane that this one waits for, and that waits for it at another operation,
// or with another mask.
static const Thread *find_opposite(const Thread *thread) {
  const Group *group = thread->group;
  unsigned first = thread->index / LANES * LANES;
  for (unsigned i = first; i < first + LANES && i < group->count; i++) {
    const Thread *other = &group->threads[i];
    if (thread->mask >> i % LANES & 1 && other->state == THREAD_AT_WARP &&
        (other->operation != thread->operation || other->mask != thread->mask ||
         !machine_same_place(other->site, thread->site)))
      return other;
  }
  return NULL;
}

// Operations of a warp that PTX does not take for one.
static bool tell_opposite(const Thread *first) {
  Incident incident = {.kind = INCIDENT_DIVERGENCE, .count = 2};
  const Thread *other = find_opposite(first);
  if (!other)
    return false;
  incident.actors[0] = machine_actor(first);
  incident.actors[1] = machine_actor(other);
  if (first->operation == other->operation && first->mask == other->mask)
    snprintf(incident.text, sizeof incident.text,
             "%s needs the lanes of the warp at one place",
             warp_operation_name(first->operation));
  else
    snprintf(incident.text, sizeof incident.text,
             "%s of mask 0x%x waits for a lane that is at %s of mask 0x%x",
             warp_operation_name(first->operation), first->mask,
             warp_operation_name(other->operation), other->mask);
  machine_stop(&incident);
  return true;
}

// Threads that have left wait for their block all the same, so that others of
// their warp wait for them.
static void tell_cut(const Thread *warp) {
  Incident incident = {.kind = INCIDENT_REFUSED, .count = 1};
  incident.actors[0] = machine_actor(warp);
  snprintf(incident.text, sizeof incident.text,
           "this operation of a warp waits for threads that are at a barrier, "
           "or have left");
  machine_stop(&incident);
}

void machine_stuck(void) {
  Incident incident = {.kind = INCIDENT_DEADLOCK, .count = 1};
  const Thread *barrier = find_waiting(THREAD_AT_BARRIER);
  const Thread *named = find_waiting(THREAD_AT_NAMED);
  const Thread *mbarrier = find_waiting(THREAD_AT_MBARRIER);
  const Thread *warp = find_waiting(THREAD_AT_WARP);
  const Thread *cluster = find_waiting(THREAD_AT_CLUSTER);
  const Thread *grid = find_waiting(THREAD_AT_GRID);
  if (machine.run->is_stopped || machine.run->is_logged)
    return;
  if (warp && machine.run->code->is_cut) {
    tell_cut(warp);
    return;
  }
  if (named || mbarrier) {
    tell_arrivals(named ? named : mbarrier);
    return;
  }
  if (barrier) {
    machine_diverge(barrier->group);
    return;
  }
  if (warp && tell_opposite(warp))
    return;
  incident.actors[0] = machine_actor(warp ? warp : cluster ? cluster : grid);
  snprintf(incident.text, sizeof incident.text, "%s",
           warp      ? "other threads of its warp do not come"
           : cluster ? "other threads of the cluster do not come"
                     : "other threads of the grid do not come, or are not "
                       "executed with it");
  machine_stop(&incident);
}
