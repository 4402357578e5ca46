// Visits: accesses to the shared memory of another block of the cluster, which
// must have begun before and must not have ended.
//
// A visit is too early if its thread has not waited for the cluster and knows
// of nothing that a thread of that block has done, and may be too late if no
// thread of that block knew of it when it ended (causality.c).  The last visit
// of each visitor is enough, because whoever knows of it knows of those before.

#include "runtime/machine/races.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING_BETWEEN "no barrier of the cluster comes between"

struct Visit {
  bool is_there;
  Point point;
  Actor actor;
};

static uint64_t visitors(void) {
  return (uint64_t)machine.cluster * machine.threads;
}

// `ends`: nothing can come after it.
static void tell(const Actor *actor, const Group *owner, const char *what,
                 bool ends) {
  Incident incident = {.kind = INCIDENT_OUT_OF_BOUNDS, .count = 1};
  incident.actors[0] = *actor;
  snprintf(incident.text, sizeof incident.text,
           "block (%u,%u,%u), whose shared memory it is, %s", owner->id[0],
           owner->id[1], owner->id[2], what);
  (ends ? machine_end : machine_note)(&incident);
}

// Does the running thread know that this block has begun?
static bool knows_of(const Group *owner) {
  for (unsigned t = 0; t < owner->count; t++) {
    Point first = {.block = owner->index,
                   .thread = t,
                   .epoch = machine.grid_epoch,
                   .tick = 1};
    if (point_is_before(&first))
      return true;
  }
  return false;
}

void visits_add(const Region *region, const char *at, uint64_t bytes) {
  Thread *self = machine.self;
  Group *owner = machine.owner;
  uint32_t bit = UINT32_C(1) << owner->seat.rank;
  Actor actor = machine_actor(self);
  actor.array = region->array;
  actor.offset = at - region->at;
  actor.bytes = bytes;
  if (owner->in[THREAD_DONE] == owner->count)
    tell(&actor, owner, "has ended", true);
  if (!machine.watches_races)
    return;
  if (!(self->met & bit) && !knows_of(owner))
    tell(&actor, owner, "may not have begun: " NOTHING_BETWEEN, false);
  self->met |= bit;
  if (!owner->visits)
    owner->visits = calloc(visitors(), sizeof *owner->visits);
  if (!owner->visits)
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  owner->visits[self->group->seat.rank * machine.threads + self->index] =
      (struct Visit){true, point_here(), actor};
}

// Has some thread of the block known of it?
static bool is_known(Group *owner, const Point *point) {
  bool is_known = false;
  for (unsigned t = 0; t < owner->count && !is_known; t++) {
    machine.self = &owner->threads[t];
    is_known = point_is_before(point);
  }
  machine.self = NULL;
  return is_known;
}

void visits_end(Group *owner) {
  for (uint64_t i = 0; owner->visits && i < visitors(); i++) {
    const struct Visit *visit = &owner->visits[i];
    if (visit->is_there && !is_known(owner, &visit->point))
      tell(&visit->actor, owner, "may have ended: " NOTHING_BETWEEN, false);
  }
  visits_forget(owner);
}

void visits_forget(Group *owner) {
  free(owner->visits);
  owner->visits = NULL;
}
