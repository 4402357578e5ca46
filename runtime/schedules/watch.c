// The accesses of one execution: delays, spinning, values.
//
// Every access to global memory or to the shared memory of a block comes here
// before it is made.  If the schedule delays it, its thread stops.  Else it is
// compared with those before it (conflicts.c), and what it overwrites
// is kept (cells.c).
//
// A thread that makes the same access again and again, while neither the memory
// there nor anything by its own hand changes, spins: such accesses do not
// count, and it steps back.  So does a thread that undoes in each round of a
// loop what it did, such as a reader that counts itself in, finds a writer, and
// counts itself out: at the end of the round all memory is as it was at the end
// of the last one.  It steps back there, so that no other thread sees an access
// that does not count.

#define _GNU_SOURCE

#include "runtime/schedules/watch.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIRST_ROOM = 1024,
  SPIN_REPEATS = 2,    // accesses of a spinning thread that count
  SPIN_ROUNDS = 4,     // the same where memory changes in between
  SPIN_PATIENCE = 8,   // repetitions in a row before it steps back
  SPIN_LIMIT = 128,    // ... wherever it is
  SPIN_SLOTS = 16,     // places that we remember of a thread
  STEPS_A_LOOK = 4096, // at the clock
  COMPARED_BYTES = 16, // a write of more is taken for a change
};

typedef struct Spin {
  uint64_t at, version, changes, memory;
  uint32_t site, repeats, rounds;
} Spin;

// By a compare-and-swap that comes next.
typedef struct Expected {
  const void *at; // NULL: none
  uint64_t bytes, value;
} Expected;

// Of one thread.
typedef struct Course {
  uint32_t ordinal;
  uint32_t idle;           // repetitions in a row
  uint32_t held;           // ... since it has stepped back
  uint32_t anchor;         // site of the first of them
  bool has_written;        // ... one of them has
  uint64_t changes, asked; // by its own hand
  Spin spins[SPIN_SLOTS];
  Expected expected;
} Course;

// A write that has not been made when it is told.
typedef struct Pending {
  bool is_open;
  char *at;
  uint64_t key_at, bytes;
  Course *course;
  bool counts;
  Step *step; // or NULL
  char old[COMPARED_BYTES];
} Pending;

Watcher watcher;

static struct {
  Course *courses; // by thread of the grid
  Pending pending;
  bool has_quiet_change; // in this turn, by an access that does not count
  uint64_t memory;       // ... before it
} tables;

void *watch_grow(void *at, size_t *room, size_t count, size_t size) {
  if (count <= *room)
    return at;
  size_t larger = *room ? 2 * *room : FIRST_ROOM;
  void *grown = realloc(at, larger * size);
  if (!grown)
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  *room = larger;
  return grown;
}

// --------------------------------------------------------------- settling ---

static uint64_t value_at(const char *at, uint64_t bytes) {
  uint64_t value = 0;
  memcpy(&value, at, bytes < sizeof value ? bytes : sizeof value);
  return value;
}

static uint64_t byte_hash(uint64_t at, char byte) {
  return schedule_mix(at, (unsigned char)byte);
}

// Of a hash of all memory.
static uint64_t difference(const Pending *pending) {
  uint64_t difference = 0;
  if (pending->bytes > COMPARED_BYTES)
    return schedule_mix(watcher.changes, pending->key_at);
  for (uint64_t i = 0; i < pending->bytes; i++)
    if (pending->old[i] != pending->at[i])
      difference += byte_hash(pending->key_at + i, pending->at[i]) -
                    byte_hash(pending->key_at + i, pending->old[i]);
  return difference;
}

// It may be undone before anybody else has a turn.
static void change_quietly(Course *course) {
  if (!tables.has_quiet_change)
    tables.memory = watcher.memory;
  tables.has_quiet_change = true;
  course->has_written = true;
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
  cells_change(pending->key_at, pending->bytes);
  if (pending->counts)
    watcher.changes++;
  else
    change_quietly(pending->course);
  watcher.memory += difference(pending);
}

static void open_pending(const Told *access, bool counts, Step *step) {
  Pending *pending = &tables.pending;
  pending->is_open = true;
  pending->counts = counts;
  pending->at = access->at;
  pending->key_at = access->key_at;
  pending->bytes = access->bytes;
  pending->course = access->course;
  pending->step = step;
  if (access->bytes <= COMPARED_BYTES)
    memcpy(pending->old, access->at, access->bytes);
}

// ------------------------------------------------------------------ steps ---

// Of those that repeat themselves there are only so many.
static Step *add_step(const Told *access, const Instance *instance,
                      StepKind kind) {
  Steps *steps = watcher.steps;
  if (!steps || (kind == STEP_REPEATED && steps->count >= MOST_STEPS / 2))
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
                 .offset = access->offset,
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
  Spin now = {.at = access->key_at,
              .version = cells_version(access->key_at, access->bytes),
              .changes = course->changes,
              .memory = watcher.memory,
              .site = access->site};
  bool is_there = spin->site == now.site && spin->at == now.at;
  bool is_still =
      is_there && spin->version == now.version && spin->changes == now.changes;
  now.repeats = is_still ? spin->repeats + 1 : 0;
  now.rounds = is_there && spin->memory == now.memory ? spin->rounds + 1 : 0;
  *spin = now;
  bool is_idle = is_still || now.rounds > SPIN_ROUNDS;
  if (!course->idle || !is_idle) {
    course->anchor = access->site;
    course->has_written = false;
  }
  course->idle = is_idle ? course->idle + 1 : 0;
  return now.repeats > SPIN_REPEATS || now.rounds > SPIN_ROUNDS;
}

// It can step back here: others see nothing of a round that does not count.
static bool is_round(const Told *access) {
  const Course *course = access->course;
  return !course->has_written || access->site == course->anchor ||
         course->held > SPIN_LIMIT;
}

// True: it repeats itself, and so it does not count.
static bool spins(const Told *access) {
  if (!is_repeated(access))
    return false;
  access->course->held++;
  if (access->course->idle < SPIN_PATIENCE || !is_round(access))
    return true;
  access->course->held = 0;
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

// Memory may have changed since the compare-and-swap told what it expects.
static void check_races(const Told *access) {
  const Expected *expected = &access->course->expected;
  if (expected->at == access->at)
    races_expect(expected->at, expected->bytes, expected->value);
  machine.owner = access->owner;
  races_check(access->region, access->offset, access->bytes, access->site,
              access->kind);
  machine.owner = NULL;
}

static void watch(const Told *access) {
  const Thread *self = machine.self;
  Instance instance = {(uint32_t)self->group->index, self->index,
                       access->course->ordinal};
  if (!watcher.is_silent && !spins(access)) {
    take_delays(access, &instance);
    access->course->ordinal++;
    conflicts_add(access, &instance);
    if (access->writes)
      cells_keep(access);
    if (machine.watches_races)
      check_races(access);
    Step *step = add_step(access, &instance, STEP_ACCESS);
    if (access->writes)
      open_pending(access, true, step);
    return;
  }
  if (!watcher.is_silent)
    add_step(access, &instance, STEP_REPEATED);
  if (access->writes) {
    cells_keep(access);
    open_pending(access, watcher.is_silent, NULL);
  }
}

// Where the bytes are, for whoever is not in this block.
static uint64_t key_address(const Region *region, const char *local) {
  const Group *owner = machine.owner ? machine.owner : machine.self->group;
  if (region->space == SPACE_SHARED)
    local = owner->shared + (local - machine.image->shared);
  return (uintptr_t)local;
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
  const char *local = clusters_local(at);
  Region *region = region_of_access(local, bytes);
  if (!region || region->space == SPACE_CONSTANT)
    return;
  if (machine.owner)
    visits_add(region, local, bytes);
  Told access = {.region = region,
                 .offset = local - region->at,
                 .at = at,
                 .owner = machine.owner,
                 .key_at = key_address(region, local),
                 .bytes = bytes,
                 .site = site,
                 .kind = kind,
                 .writes = kind != SITE_READ && !place->is_load,
                 .is_conditional = place->is_conditional,
                 .course = course_of(self)};
  machine.owner = NULL;
  watch(&access);
  access.course->expected.at = NULL;
}

static void expect(const void *at, uint64_t bytes, uint64_t value) {
  course_of(machine.self)->expected = (Expected){at, bytes, value};
}

static void access_any(void *at, uint64_t bytes, uint32_t site) {
  tell(at, bytes, site, machine.run->code->sites.at[site].kind);
}

static void access_fill(void *at, uint64_t bytes, uint32_t site) {
  tell(at, bytes, site, SITE_WRITE);
}

static void access_fetch(void *at, uint64_t bytes, uint32_t site) {
  tell(at, bytes, site, SITE_READ);
}

const AccessHooks schedule_hooks = {.access = access_any,
                                    .fill = access_fill,
                                    .fetch = access_fetch,
                                    .expect = expect};

// -------------------------------------------------------------- execution ---

bool watch_open(const bool *observed) {
  cells_open(observed);
  tables.courses =
      calloc(machine.total * machine.threads, sizeof *tables.courses);
  return tables.courses;
}

void watch_close(void) {
  cells_close();
  conflicts_close();
  free(tables.courses);
  memset(&tables, 0, sizeof tables);
}

void watch_restart(const DelayList *delays) {
  cells_restart();
  conflicts_restart();
  tables.pending.is_open = tables.has_quiet_change = false;
  memset(tables.courses, 0,
         machine.total * machine.threads * sizeof *tables.courses);
  watcher.delays = *delays;
  watcher.next = 0;
  watcher.changes = watcher.order = watcher.arrivals = watcher.memory = 0;
  watcher.spinning = watcher.spun_at = watcher.delayed = 0;
  watcher.is_silent = false;
}

void watch_finish(void) {
  settle();
  if (tables.has_quiet_change && tables.memory != watcher.memory)
    watcher.changes++;
  tables.has_quiet_change = false;
}

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
