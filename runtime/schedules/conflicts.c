// Which accesses of an execution conflict, and in which order.
//
// Every access is compared with all before it that touched the same bytes:
// where two conflict, the earlier one is a place for a delay.  The hash of an
// access is made of itself and of the accesses that it comes after - the last
// write of each cell and, for a write, the reads since - so the sum over all of
// them is a hash of the conflict order, whatever the order of accesses that
// have nothing to do with each other.

#include "runtime/schedules/watch.h"

#include <stdlib.h>
#include <string.h>

// An access that counts.
typedef struct Event {
  Instance instance;
  uint32_t interval, epoch, taken;
  uint64_t at, bytes; // as Told.key_at
  uint64_t before;
  bool writes, is_conditional;
  bool is_point, is_marked; // in a conflict, in one with a conditional atomic
} Event;

typedef struct Link {
  uint32_t event, next;
} Link;

static struct {
  Vec(Event) events;
  Vec(Link) links;
  Vec(SchedulePoint) points;
} table;

static bool is_ordered(const Event *event, const Instance *instance) {
  const Group *group = machine.self->group;
  if (event->epoch != machine.grid_epoch)
    return true;
  return event->instance.block == instance->block &&
         (event->instance.thread == instance->thread ||
          event->interval != group->interval);
}

static bool overlap(const Event *a, const Event *b) {
  return a->at < b->at + b->bytes && b->at < a->at + a->bytes;
}

// The last write of the list, if the same thread made it in the same interval
// and would have marked whatever this access does: all before it are marked.
static uint32_t first_unknown(const AccessedCell *cell, const Event *event) {
  if (cell->writers == NO_LINK)
    return 0;
  uint32_t index = table.links.at[cell->writers].event;
  const Event *last = &table.events.at[index];
  bool is_like = last->instance.block == event->instance.block &&
                 last->instance.thread == event->instance.thread &&
                 last->interval == event->interval &&
                 last->epoch == event->epoch && last->at == event->at &&
                 last->bytes == event->bytes &&
                 last->taken == watcher.delays.count &&
                 (last->is_conditional || !event->is_conditional);
  return is_like ? index : 0;
}

// Marks the accesses of the list that this one conflicts with, from number
// `known` on.  What is marked to the full leaves it.
static void mark(uint32_t *list, const Event *event, uint32_t known) {
  for (uint32_t link;
       (link = *list) != NO_LINK && table.links.at[link].event >= known;) {
    Event *other = &table.events.at[table.links.at[link].event];
    if (overlap(other, event) && !is_ordered(other, &event->instance)) {
      other->is_point = true;
      other->is_marked |= other->is_conditional || event->is_conditional;
    }
    if (other->is_marked)
      *list = table.links.at[link].next;
    else
      list = &table.links.at[link].next;
  }
}

static void join(uint32_t *list, uint32_t event) {
  watch_append(&table.links, ((Link){event, *list}));
  *list = (uint32_t)table.links.count - 1;
}

static uint64_t instance_hash(const Instance *instance, uint32_t site) {
  return schedule_mix((uint64_t)instance->block << 32 | instance->thread,
                      (uint64_t)instance->ordinal << 32 | site);
}

// All accesses that come before this one in the conflict order, and itself.
static uint64_t event_hash(const Event *event, uint32_t site) {
  uint64_t hash = instance_hash(&event->instance, site);
  AccessedCell *cell;
  for_cells(cell, event->at, event->bytes) {
    hash = schedule_mix(hash, cell->written);
    if (event->writes)
      hash = schedule_mix(hash, cell->read);
  }
  return hash;
}

static void enter_cell(AccessedCell *cell, const Event *event, uint64_t hash) {
  if (watcher.next == watcher.delays.count) {
    uint32_t known = first_unknown(cell, event);
    mark(&cell->writers, event, known);
    if (event->writes)
      mark(&cell->readers, event, known);
  }
  join(event->writes ? &cell->writers : &cell->readers,
       (uint32_t)table.events.count);
  if (event->writes) {
    cell->written = hash;
    cell->read = 0;
  } else {
    cell->read += hash;
  }
}

// Who has arrived, who stands before a delayed access, and who is passed over
// as it spins, decides who goes on after a delay.
static uint64_t state_before(void) {
  uint64_t state =
      schedule_mix(watcher.order, watcher.arrivals + watcher.delayed);
  return watcher.spun_at == watcher.changes ? state + watcher.spinning : state;
}

static void enter(const Event *event, uint64_t hash) {
  AccessedCell *cell;
  for_cells(cell, event->at, event->bytes) enter_cell(cell, event, hash);
  watch_append(&table.events, *event);
  table.points.at = watch_grow(table.points.at, &table.points.room,
                               table.events.count, sizeof *table.points.at);
  watcher.order += hash;
}

void conflicts_add(const Told *access, const Instance *instance) {
  const Thread *self = machine.self;
  Event event = {.instance = *instance,
                 .interval = self->group->interval,
                 .epoch = machine.grid_epoch,
                 .taken = watcher.next,
                 .at = access->key_at,
                 .bytes = access->bytes,
                 .before = state_before(),
                 .writes = access->writes,
                 .is_conditional = access->is_conditional};
  enter(&event, event_hash(&event, access->site));
}

// ----------------------------------------------------------------- points ---

const SchedulePoint *watch_points(uint32_t *count) {
  table.points.count = 0;
  for (size_t i = 0; i < table.events.count; i++) {
    const Event *event = &table.events.at[i];
    if (event->is_point)
      table.points.at[table.points.count++] = (SchedulePoint){
          event->instance, event->is_marked, event->taken, event->before};
  }
  *count = (uint32_t)table.points.count;
  return table.points.at;
}

uint64_t watch_accesses(void) { return table.events.count; }

void conflicts_restart(void) { table.events.count = table.links.count = 0; }

void conflicts_close(void) {
  free(table.events.at);
  free(table.links.at);
  free(table.points.at);
  memset(&table, 0, sizeof table);
}
