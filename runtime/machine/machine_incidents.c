// What goes wrong in a run, as the machine tells it.
//
// An incident is kept once for each place, and counted.  Some end the run: an
// incident of a thread at once, one of the scheduler when it next chooses who
// runs.  Where the threads of a block are iterations of a loop that has become
// vector operations, nobody can say which of them it was.

#include "runtime/machine/machine.h"
#include "runtime/machine/twice.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

Actor machine_actor(const Thread *thread) {
  Actor actor = {.site = thread->site,
                 .has_exited = thread->state == THREAD_DONE,
                 .array = NO_ARRAY};
  memcpy(actor.thread, thread->id, sizeof actor.thread);
  memcpy(actor.block, thread->group->id, sizeof actor.block);
  return actor;
}

bool machine_same_place(uint32_t a, uint32_t b) {
  const Site *sites = machine.run->code->sites.at;
  if (a == b || a == NO_SITE || b == NO_SITE)
    return a == b;
  return sites[a].loc.line == sites[b].loc.line &&
         sites[a].loc.column == sites[b].loc.column &&
         sites[a].kind == sites[b].kind;
}

// `swap`: the first actor of one is compared with the second of the other.
static bool same_actors(const Incident *a, const Incident *b, unsigned swap) {
  for (unsigned i = 0; i < a->count; i++)
    if (!machine_same_place(a->actors[i].site, b->actors[i ^ swap].site) ||
        a->actors[i].array != b->actors[i ^ swap].array)
      return false;
  return true;
}

static bool same_incident(const Incident *a, const Incident *b) {
  return a->kind == b->kind && a->count == b->count &&
         (same_actors(a, b, 0) ||
          (a->kind == INCIDENT_RACE && same_actors(a, b, 1)));
}

static uint64_t warp_of(const uint32_t thread[3]) {
  const uint32_t *size = machine.run->block;
  uint64_t row = thread[1] + (uint64_t)thread[2] * size[1];
  return (thread[0] + row * size[0]) / LANES;
}

// Of one thread and an asynchronous copy of its own it is not.
static bool is_within_warp(const Incident *incident) {
  const Actor *a = &incident->actors[0], *b = &incident->actors[1];
  return incident->count == 2 &&
         memcmp(a->thread, b->thread, sizeof a->thread) != 0 &&
         !memcmp(a->block, b->block, sizeof a->block) &&
         warp_of(a->thread) == warp_of(b->thread);
}

void machine_note(const Incident *incident) {
  Outcome *outcome = machine.outcome;
  bool is_wide = incident->kind == INCIDENT_RACE && !is_within_warp(incident);
  // What an execution ends with, the same one again does, too.
  bool is_new = twice_execution() != 2 || incident->kind == INCIDENT_RACE;
  for (unsigned i = 0; i < outcome->count; i++)
    if (same_incident(&outcome->incidents[i], incident)) {
      outcome->incidents[i].is_wide |= is_wide;
      outcome->incidents[i].times += is_new;
      return;
    }
  if (outcome->count == MOST_INCIDENTS)
    return;
  Incident *kept = &outcome->incidents[outcome->count++];
  *kept = *incident;
  kept->is_wide = is_wide;
  kept->times = 1;
}

void machine_stop(const Incident *incident) {
  machine_note(incident);
  machine.is_over = true;
}

// Of the threads whose operations are one, any may have been it.
static Incident of_block(const Incident *incident) {
  Incident of_any = *incident;
  const uint32_t *block = incident->actors[0].block;
  snprintf(
      of_any.text, sizeof of_any.text,
      "%.80s%ssome thread of block (%u,%u,%u); --detect=bounds tells which",
      incident->text, incident->text[0] ? "; " : "", block[0], block[1],
      block[2]);
  of_any.count = 0;
  return of_any;
}

void machine_end(const Incident *incident) {
  Incident of_any = of_block(incident);
  machine_note(machine.is_blind ? &of_any : incident);
  machine_abandon();
}

void machine_abandon(void) {
  machine.is_over = true;
  fiber_switch(&machine.self->fiber, &machine.scheduler);
  assert(!"a run that is over goes on");
  abort();
}

void machine_fail(IncidentKind kind, const char *fmt, ...) {
  Incident incident = {.kind = kind, .count = 1};
  va_list args;
  va_start(args, fmt);
  vsnprintf(incident.text, sizeof incident.text, fmt, args);
  va_end(args);
  incident.actors[0] = machine_actor(machine.self);
  machine_end(&incident);
}
