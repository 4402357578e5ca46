// The accesses of one execution: delays, conflicts, and the way back.
//
// Every access to global memory or to the shared memory of a block comes here
// before it is made.  If the schedule delays it, its thread stops.  Else it is
// compared with all accesses before it that touched the same bytes: where two
// conflict, the earlier one is a place for a delay.  By the cell of four bytes
// we keep
//
//   - the accesses themselves, writes and reads apart;
//   - hashes of the last write and of the reads since.  The hash of an access
//     is made of itself and of the accesses that it comes after, so the sum
//     over all of them is a hash of the conflict order, whatever the order of
//     accesses that have nothing to do with each other;
//   - how often its contents have changed.  A thread that makes the same
//     access again and again, while neither the cell nor anything by its own
//     hand changes, spins: such accesses do not count, and it steps back.
//
// What was in a cell before the first write is kept, so that the way back to
// the start costs no more than the execution did.

#define _GNU_SOURCE

#include "runtime/schedule_cpu.h"

#include <stdlib.h>
#include <string.h>

enum {
  CELL_BYTES = 4,
  FIRST_ROOM = 1024,
  SPIN_REPEATS = 2,    // accesses of a spinning thread that count
  SPIN_PATIENCE = 8,   // repetitions in a row before it steps back
  SPIN_SLOTS = 16,     // places that we remember of a thread
  STEPS_A_LOOK = 4096, // at the clock
  COMPARED_BYTES = 16, // a write of more is taken for a change
  NO_LINK = INT32_MAX, // end of a list
};

// An access that counts.
typedef struct Event {
  Instance instance;
  uint32_t interval, epoch, taken;
  uint64_t at, bytes; // in shared memory: an address of the block's own
  uint64_t before;
  bool writes, is_conditional;
  bool is_point, is_marked; // in a conflict, in one with a conditional atomic
} Event;

typedef struct Link {
  uint32_t event, next;
} Link;

typedef struct Cell {
  uint64_t key, age; // of this execution if it is the tables'
  uint64_t version, written, read;
  uint32_t writers, readers; // lists of links
  uint32_t start;            // contents before the first write
  uint8_t is_kept;           // ... which have been kept
  uint8_t observed;          // bytes that were written and are observed
} Cell;

typedef struct Spin {
  uint64_t at, version, changes;
  uint32_t site, repeats;
} Spin;

// Of one thread.
typedef struct Course {
  uint32_t ordinal;
  uint32_t idle;           // repetitions in a row
  uint64_t changes, asked; // by its own hand
  Spin spins[SPIN_SLOTS];
} Course;

// A write that has not been made when it is told.
typedef struct Pending {
  bool is_open;
  char *at;
  uint64_t key_at, bytes;
  Course *course;
  Step *step; // or NULL
  char old[COMPARED_BYTES];
} Pending;

// An access on its way into the tables.
typedef struct Told {
  Region *region;
  char *at;
  uint64_t key_at, bytes; // key_at: as Event.at
  uint32_t site;
  SiteKind kind;
  bool writes, is_conditional;
  Course *course;
} Told;

Watcher watcher;

static struct {
  Vec(Event) events;
  Vec(Link) links;
  Vec(Point) points;
  Vec(uint32_t) used; // cells of this execution
  Cell *cells;
  uint64_t room, age;
  Course *courses; // by thread of the grid
  const bool *observed;
  Pending pending;
} tables;

// ----------------------------------------------------------------- growth ---

static void *grow(void *at, size_t *room, size_t count, size_t size) {
  if (count <= *room)
    return at;
  size_t larger = *room ? 2 * *room : FIRST_ROOM;
  void *grown = realloc(at, larger * size);
  if (!grown)
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  *room = larger;
  return grown;
}

#define append(vec, item)                                                      \
  ((vec)->at =                                                                 \
       grow((vec)->at, &(vec)->room, (vec)->count + 1, sizeof *(vec)->at),     \
   (vec)->at[(vec)->count++] = (item))

// ------------------------------------------------------------------ cells ---

static uint64_t slot_of(const Cell *cells, uint64_t room, uint64_t key) {
  uint64_t i = (key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (room - 1);
  while (cells[i].age == tables.age && cells[i].key != key)
    i = (i + 1) & (room - 1);
  return i;
}

static void grow_cells(void) {
  uint64_t room = tables.room ? 2 * tables.room : FIRST_ROOM;
  Cell *cells = calloc(room, sizeof *cells);
  if (!cells)
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  for (size_t i = 0; i < tables.used.count; i++) {
    const Cell *cell = &tables.cells[tables.used.at[i]];
    uint64_t slot = slot_of(cells, room, cell->key);
    cells[slot] = *cell;
    tables.used.at[i] = (uint32_t)slot;
  }
  free(tables.cells);
  tables.cells = cells;
  tables.room = room;
}

static Cell *cell_of(uint64_t key) {
  if (2 * tables.used.count >= tables.room)
    grow_cells();
  uint64_t slot = slot_of(tables.cells, tables.room, key);
  Cell *cell = &tables.cells[slot];
  if (cell->age != tables.age) {
    *cell = (Cell){
        .key = key, .age = tables.age, .writers = NO_LINK, .readers = NO_LINK};
    append(&tables.used, (uint32_t)slot);
  }
  return cell;
}

static uint64_t first_cell(uint64_t at) { return at / CELL_BYTES; }
static uint64_t last_cell(uint64_t at, uint64_t bytes) {
  return (at + bytes - 1) / CELL_BYTES;
}

static uint64_t version_of(uint64_t at, uint64_t bytes) {
  uint64_t version = 0, last = last_cell(at, bytes);
  for (uint64_t key = first_cell(at); key <= last; key++)
    version += cell_of(key)->version;
  return version;
}

static void *address_of(const Cell *cell) {
  return (void *)(uintptr_t)(cell->key * CELL_BYTES);
}

// What the access is about to overwrite, and what of it is observed.
static void keep_start(Cell *cell, const Told *access) {
  uint64_t first = cell->key * CELL_BYTES;
  if (access->region->space == SPACE_SHARED)
    return;
  if (!cell->is_kept)
    memcpy(&cell->start, address_of(cell), CELL_BYTES);
  cell->is_kept = true;
  for (uint64_t i = 0; i < CELL_BYTES; i++)
    if (first + i >= access->key_at &&
        first + i < access->key_at + access->bytes &&
        tables.observed[access->region->array])
      cell->observed |= (uint8_t)(1 << i);
}

static void keep_starts(const Told *access) {
  uint64_t last = last_cell(access->key_at, access->bytes);
  for (uint64_t key = first_cell(access->key_at); key <= last; key++)
    keep_start(cell_of(key), access);
}

// --------------------------------------------------------------- settling ---

static uint64_t value_at(const char *at, uint64_t bytes) {
  uint64_t value = 0;
  memcpy(&value, at, bytes < sizeof value ? bytes : sizeof value);
  return value;
}

// The write that was told last has been made.
static void settle(void) {
  Pending *pending = &tables.pending;
  if (machine.watches_races)
    races_settle();
  if (!pending->is_open)
    return;
  pending->is_open = false;
  if (pending->step)
    pending->step->after = value_at(pending->at, pending->bytes);
  if (pending->bytes <= COMPARED_BYTES &&
      !memcmp(pending->old, pending->at, pending->bytes))
    return;
  pending->course->changes++;
  watcher.changes++;
  uint64_t last = last_cell(pending->key_at, pending->bytes);
  for (uint64_t key = first_cell(pending->key_at); key <= last; key++)
    cell_of(key)->version++;
}

static void open_pending(const Told *access, Step *step) {
  Pending *pending = &tables.pending;
  pending->is_open = true;
  pending->at = access->at;
  pending->key_at = access->key_at;
  pending->bytes = access->bytes;
  pending->course = access->course;
  pending->step = step;
  if (access->bytes <= COMPARED_BYTES)
    memcpy(pending->old, access->at, access->bytes);
}

// -------------------------------------------------------------- conflicts ---

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
static uint32_t first_unknown(const Cell *cell, const Event *event) {
  if (cell->writers == NO_LINK)
    return 0;
  uint32_t index = tables.links.at[cell->writers].event;
  const Event *last = &tables.events.at[index];
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
       (link = *list) != NO_LINK && tables.links.at[link].event >= known;) {
    Event *other = &tables.events.at[tables.links.at[link].event];
    if (overlap(other, event) && !is_ordered(other, &event->instance)) {
      other->is_point = true;
      other->is_marked |= other->is_conditional || event->is_conditional;
    }
    if (other->is_marked)
      *list = tables.links.at[link].next;
    else
      list = &tables.links.at[link].next;
  }
}

static void join(uint32_t *list, uint32_t event) {
  append(&tables.links, ((Link){event, *list}));
  *list = (uint32_t)tables.links.count - 1;
}

static uint64_t instance_hash(const Instance *instance, uint32_t site) {
  return schedule_mix((uint64_t)instance->block << 32 | instance->thread,
                      (uint64_t)instance->ordinal << 32 | site);
}

// All accesses that come before this one in the conflict order, and itself.
static uint64_t event_hash(const Event *event, uint32_t site) {
  uint64_t hash = instance_hash(&event->instance, site);
  uint64_t last = last_cell(event->at, event->bytes);
  for (uint64_t key = first_cell(event->at); key <= last; key++) {
    const Cell *cell = cell_of(key);
    hash = schedule_mix(hash, cell->written);
    if (event->writes)
      hash = schedule_mix(hash, cell->read);
  }
  return hash;
}

static void enter_cell(Cell *cell, const Event *event, uint64_t hash) {
  if (watcher.next == watcher.delays.count) {
    uint32_t known = first_unknown(cell, event);
    mark(&cell->writers, event, known);
    if (event->writes)
      mark(&cell->readers, event, known);
  }
  join(event->writes ? &cell->writers : &cell->readers,
       (uint32_t)tables.events.count);
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

static void add_event(const Told *access, const Instance *instance) {
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
  uint64_t hash = event_hash(&event, access->site);
  uint64_t last = last_cell(event.at, event.bytes);
  for (uint64_t key = first_cell(event.at); key <= last; key++)
    enter_cell(cell_of(key), &event, hash);
  append(&tables.events, event);
  tables.points.at = grow(tables.points.at, &tables.points.room,
                          tables.events.count, sizeof *tables.points.at);
  watcher.order += hash;
}

// ------------------------------------------------------------------ steps ---

static Step *add_step(const Told *access, const Instance *instance,
                      StepKind kind) {
  Steps *steps = watcher.steps;
  if (!steps)
    return NULL;
  if (steps->count == MOST_STEPS) {
    steps->is_cut = true;
    return NULL;
  }
  Step *step = &steps->at[steps->count++];
  *step = (Step){.kind = kind,
                 .instance = *instance,
                 .site = access->site,
                 .array = access->region->array,
                 .offset = access->at - access->region->at,
                 .bytes = access->bytes};
  step->before = step->after = value_at(access->at, access->bytes);
  return step;
}

// --------------------------------------------------------------- accesses ---

static void step_back(Pause pause) {
  watcher.pause = pause;
  machine_wait(THREAD_READY);
  settle();
}

static bool is_repeated(const Told *access) {
  Course *course = access->course;
  Spin *spin = &course->spins[access->site % SPIN_SLOTS];
  Spin now = {access->key_at, version_of(access->key_at, access->bytes),
              course->changes, access->site, 0};
  bool is_same = spin->site == now.site && spin->at == now.at &&
                 spin->version == now.version && spin->changes == now.changes;
  now.repeats = is_same ? spin->repeats + 1 : 0;
  course->idle = is_same ? course->idle + 1 : 0;
  *spin = now;
  return now.repeats > SPIN_REPEATS;
}

// True: it repeats itself, and so it does not count.
static bool spins(const Told *access) {
  if (!is_repeated(access))
    return false;
  if (access->course->idle < SPIN_PATIENCE)
    return true;
  step_back(PAUSE_SPIN);
  return is_repeated(access);
}

static bool same_instance(const Instance *a, const Instance *b) {
  return a->block == b->block && a->thread == b->thread &&
         a->ordinal == b->ordinal;
}

static void take_delays(const Told *access, const Instance *instance) {
  while (watcher.next < watcher.delays.count &&
         same_instance(instance, &watcher.delays.at[watcher.next])) {
    watcher.next++;
    add_step(access, instance, STEP_DELAY);
    step_back(PAUSE_DELAY);
  }
}

static void check_races(const Told *access) {
  races_check(access->region, access->at - access->region->at, access->bytes,
              access->site, access->kind);
}

static void watch(const Told *access) {
  const Thread *self = machine.self;
  if (!watcher.is_silent && !spins(access)) {
    Instance instance = {(uint32_t)self->group->index, self->index,
                         access->course->ordinal};
    take_delays(access, &instance);
    access->course->ordinal++;
    add_event(access, &instance);
    if (access->writes)
      keep_starts(access);
    if (machine.watches_races)
      check_races(access);
    Step *step = add_step(access, &instance, STEP_ACCESS);
    if (access->writes)
      open_pending(access, step);
  } else if (access->writes) {
    keep_starts(access);
    open_pending(access, NULL);
  }
}

// Where the bytes are, for whoever is not in this block.
static uint64_t key_address(const Region *region, const char *at) {
  const char *shared = machine.self->group->shared;
  if (region->space == SPACE_SHARED)
    at = shared + (at - machine.image->shared);
  return (uintptr_t)at;
}

static Course *course_of(const Thread *thread) {
  return &tables
              .courses[thread->group->index * machine.threads + thread->index];
}

static void tell(char *at, uint64_t bytes, uint32_t site, SiteKind kind) {
  Thread *self = machine.self;
  const Site *place = &machine.run->code->sites.at[site];
  self->site = site;
  settle();
  if (!bytes || self->quiet)
    return;
  if (machine.run->max_steps && ++machine.steps > machine.run->max_steps)
    machine_fail(INCIDENT_ENDLESS, "after %llu steps",
                 (unsigned long long)machine.steps);
  if (machine.steps % STEPS_A_LOOK == 0 && watcher.deadline > 0 &&
      clock_seconds() > watcher.deadline)
    machine_fail(INCIDENT_LIMIT, "the time is used up");
  Region *region = region_of_access(at, bytes);
  if (!region || region->space == SPACE_CONSTANT)
    return;
  Told access = {.region = region,
                 .at = at,
                 .key_at = key_address(region, at),
                 .bytes = bytes,
                 .site = site,
                 .kind = kind,
                 .writes = kind != SITE_READ && !place->is_load,
                 .is_conditional = place->is_conditional,
                 .course = course_of(self)};
  watch(&access);
}

void schedule_access(void *at, uint64_t bytes, uint32_t site) {
  tell(at, bytes, site, machine.run->code->sites.at[site].kind);
}

void schedule_fill(void *at, uint64_t bytes, uint32_t site) {
  tell(at, bytes, site, SITE_WRITE);
}

void schedule_fetch(void *at, uint64_t bytes, uint32_t site) {
  tell(at, bytes, site, SITE_READ);
}

// -------------------------------------------------------------- execution ---

bool watch_open(const bool *observed) {
  tables.observed = observed;
  tables.courses =
      calloc(machine.total * machine.threads, sizeof *tables.courses);
  return tables.courses;
}

void watch_close(void) {
  free(tables.events.at);
  free(tables.links.at);
  free(tables.points.at);
  free(tables.used.at);
  free(tables.cells);
  free(tables.courses);
  memset(&tables, 0, sizeof tables);
}

void watch_restart(const DelayList *delays) {
  tables.events.count = tables.links.count = tables.used.count = 0;
  tables.age++;
  tables.pending.is_open = false;
  memset(tables.courses, 0,
         machine.total * machine.threads * sizeof *tables.courses);
  watcher.delays = *delays;
  watcher.next = 0;
  watcher.changes = watcher.order = watcher.arrivals = 0;
  watcher.spinning = watcher.spun_at = watcher.delayed = 0;
  watcher.is_silent = false;
}

void watch_finish(void) { settle(); }

void watch_undo(void) {
  for (size_t i = 0; i < tables.used.count; i++) {
    const Cell *cell = &tables.cells[tables.used.at[i]];
    if (cell->is_kept)
      memcpy(address_of(cell), &cell->start, CELL_BYTES);
  }
}

// The bits of the bytes that bits of `bytes` stand for.
static uint32_t bits_of(uint8_t bytes) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < CELL_BYTES; i++)
    bits |= bytes >> i & 1 ? UINT32_C(0xff) << 8 * i : 0;
  return bits;
}

uint64_t watch_state(void) {
  uint64_t state = 0;
  for (size_t i = 0; i < tables.used.count; i++) {
    const Cell *cell = &tables.cells[tables.used.at[i]];
    uint32_t now;
    if (!cell->observed)
      continue;
    memcpy(&now, address_of(cell), CELL_BYTES);
    uint32_t changed = (now ^ cell->start) & bits_of(cell->observed);
    state += changed ? schedule_mix(cell->key, changed) : 0;
  }
  return state;
}

const Point *watch_points(uint32_t *count) {
  tables.points.count = 0;
  for (size_t i = 0; i < tables.events.count; i++) {
    const Event *event = &tables.events.at[i];
    if (event->is_point)
      tables.points.at[tables.points.count++] = (Point){
          event->instance, event->is_marked, event->taken, event->before};
  }
  *count = (uint32_t)tables.points.count;
  return tables.points.at;
}

uint64_t watch_accesses(void) { return tables.events.count; }

static uint64_t thread_hash(const Thread *thread, uint64_t what) {
  uint64_t who = (uint64_t)thread->group->index << 32 | thread->index;
  return schedule_mix(who + 1, what);
}

void watch_arrival(const Thread *thread) {
  watcher.arrivals += thread_hash(
      thread, (uint64_t)thread->group->interval << 32 | thread->state);
}

void watch_delayed(const Thread *thread, bool is_delayed) {
  uint64_t hash = thread_hash(thread, UINT64_MAX);
  watcher.delayed += is_delayed ? hash : 0 - hash;
}

void watch_spinning(const Thread *thread) {
  if (watcher.spun_at != watcher.changes)
    watcher.spinning = 0;
  watcher.spun_at = watcher.changes;
  watcher.spinning += thread_hash(thread, 0);
}

bool watch_has_changed(const Thread *thread) {
  Course *course = course_of(thread);
  bool has_changed = course->asked != course->changes;
  course->asked = course->changes;
  return has_changed;
}
