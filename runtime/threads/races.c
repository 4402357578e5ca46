// Data races of one run, by happens-before with vector clocks.
//
// Each thread has a clock; creating and joining threads, mutexes and all other
// objects that threads wait for, and atomic operations pass clocks on.  Of each
// cell of eight bytes we keep the last write and the last reads of all threads.
// An access that does not come after a conflicting one is a race, whatever the
// order in this run.  All atomic operations count as ordered: a relaxed one
// passes on too much, so races may be missed and none is invented.

#include "runtime/threads/world.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CLOCKS = 64, CELLS = 1 << 14, OBJECTS = 1 << 12 };

typedef struct VectorClock {
  uint32_t at[MOST_CLOCKS];
} VectorClock;

typedef struct RaceCell {
  uint64_t key; // address / 8 + 1; 0: free
  uint32_t written, reads[MOST_CLOCKS];
  uint32_t write_site, read_sites[MOST_CLOCKS];
  uint8_t writer;
  uint8_t write_bytes, read_bytes[MOST_CLOCKS]; // of the cell, as bits
} RaceCell;

typedef struct RaceObject {
  uint64_t key;
  VectorClock clock;
} RaceObject;

static VectorClock clocks[MOST_CLOCKS];
static RaceCell *cells;
static RaceObject *objects;
static uint32_t used_cells[CELLS], used_objects[OBJECTS];
static uint32_t cell_count, object_count;

// Once there are too many of something, this stays off until the run ends.
static bool is_on(void) {
  if (!world.watches_races)
    return false;
  if (world.count <= MOST_CLOCKS && cell_count < CELLS / 2 &&
      object_count < OBJECTS / 2)
    return true;
  world.misses_races = true;
  return false;
}

void races_reset(void) {
  if (!cells)
    cells = calloc(CELLS, sizeof *cells);
  if (!objects)
    objects = calloc(OBJECTS, sizeof *objects);
  if (!cells || !objects)
    abort();
  for (uint32_t i = 0; i < cell_count; i++)
    cells[used_cells[i]] = (RaceCell){0};
  for (uint32_t i = 0; i < object_count; i++)
    objects[used_objects[i]] = (RaceObject){0};
  cell_count = object_count = 0;
  memset(clocks, 0, sizeof clocks);
  for (unsigned i = 0; i < MOST_CLOCKS; i++)
    clocks[i].at[i] = 1;
}

static uint32_t hash(uint64_t key, uint32_t room) {
  return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (room - 1);
}

static RaceCell *cell_of(uint64_t key) {
  uint32_t i = hash(key, CELLS);
  while (cells[i].key && cells[i].key != key)
    i = (i + 1) & (CELLS - 1);
  if (!cells[i].key)
    used_cells[cell_count++] = i;
  cells[i].key = key;
  return &cells[i];
}

static VectorClock *object_of(const void *object) {
  uint64_t key = (uint64_t)(uintptr_t)object;
  uint32_t i = hash(key, OBJECTS);
  while (objects[i].key && objects[i].key != key)
    i = (i + 1) & (OBJECTS - 1);
  if (!objects[i].key)
    used_objects[object_count++] = i;
  objects[i].key = key;
  return &objects[i].clock;
}

static void join(VectorClock *to, const VectorClock *from) {
  for (unsigned i = 0; i < MOST_CLOCKS; i++)
    if (to->at[i] < from->at[i])
      to->at[i] = from->at[i];
}

void races_acquire(const void *object) {
  if (is_on())
    join(&clocks[world.self->index], object_of(object));
}

void races_release(const void *object) {
  if (!is_on())
    return;
  VectorClock *own = &clocks[world.self->index];
  join(object_of(object), own);
  own->at[world.self->index]++;
}

void races_fork(const PosixThread *child) {
  if (!is_on())
    return;
  join(&clocks[child->index], &clocks[world.self->index]);
  clocks[world.self->index].at[world.self->index]++;
}

void races_join(const PosixThread *child) {
  if (is_on())
    join(&clocks[world.self->index], &clocks[child->index]);
}

// Once for a run: the first is told, and the run goes on.
static void tell(uint32_t other, uint32_t site, bool is_write,
                 bool other_writes) {
  if (world.flaw.mishap)
    return;
  world.flaw = (RunEnd){.mishap = MISHAP_RACE,
                        .site = world.site,
                        .thread = world.self->index,
                        .other_site = site,
                        .other_thread = other};
  snprintf(world.flaw.text, sizeof world.flaw.text,
           "nothing orders this %s and thread %u's %s (%s)",
           is_write ? "write" : "read", other, other_writes ? "write" : "read",
           world_site_text(site));
  world.flaw.other_writes = other_writes;
}

static bool is_before(unsigned thread, uint32_t tick) {
  return tick <= clocks[world.self->index].at[thread];
}

static bool is_atomic(uint32_t site) {
  DeedKind kind = world.sites[site].kind;
  return kind == DEED_ATOMIC_READ || kind == DEED_ATOMIC_WRITE;
}

static void look(RaceCell *cell, uint8_t bytes, bool is_write) {
  unsigned self = world.self->index;
  bool both = is_atomic(world.site);
  if (cell->written && cell->writer != self && cell->write_bytes & bytes &&
      !is_before(cell->writer, cell->written) &&
      !(both && is_atomic(cell->write_site)))
    tell(cell->writer, cell->write_site, is_write, true);
  for (unsigned i = 0; is_write && i < world.count; i++)
    if (i != self && cell->reads[i] && cell->read_bytes[i] & bytes &&
        !is_before(i, cell->reads[i]) &&
        !(both && is_atomic(cell->read_sites[i])))
      tell(i, cell->read_sites[i], is_write, false);
}

static void keep(RaceCell *cell, uint8_t bytes, bool is_write) {
  unsigned self = world.self->index;
  uint32_t tick = clocks[self].at[self];
  if (is_write) {
    cell->written = tick;
    cell->writer = (uint8_t)self;
    cell->write_site = world.site;
    cell->write_bytes = bytes;
  } else {
    cell->reads[self] = tick;
    cell->read_sites[self] = world.site;
    cell->read_bytes[self] = bytes;
  }
}

void races_access(const void *at, uint64_t bytes, bool is_write) {
  uint64_t from = (uint64_t)(uintptr_t)at, end = from + bytes;
  for (; from < end && is_on(); from = (from | 7) + 1) {
    RaceCell *cell = cell_of(from / 8 + 1);
    uint8_t mask = 0;
    for (uint64_t i = from; i < end && i / 8 == from / 8; i++)
      mask |= (uint8_t)(1u << i % 8);
    look(cell, mask, is_write);
    keep(cell, mask, is_write);
  }
}
