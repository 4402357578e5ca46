// Data races of one run, by happens-before with vector clocks.
//
// Each thread has a clock; creating and joining threads, mutexes and all other
// objects that threads wait for, and atomic operations pass clocks on.  Of each
// cell of eight bytes we keep the last write and the last reads of all threads,
// in a table that grows with what the program touches; once some of its bytes
// are accessed without the others, of each such part.
// An access that does not come after a conflicting one is a race, whatever the
// order in this run.
//
// What an atomic operation passes on is what C17 says (5.1.2.4, 7.17.3): who
// acquires comes after those that have released in the sequence that it reads
// from, which goes on through operations that read and write, and through
// stores of a thread that is in it.  Relaxed ones pass on what fences say.  A
// comparison that fails counts as one that has exchanged, and of a sequence
// that a thread goes on with all is kept: races may be missed there, none is
// invented.

#include "runtime/threads/world.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_CLOCKS = 64,
  FEW_CELLS = 1 << 14, // to begin with; of these half may be used
  MOST_CELLS = 1 << 20,
  MOST_PARTS = 1 << 18,
  OBJECTS = 1 << 12,
  MOST_SHARED = 1 << 16,
};

typedef struct VectorClock {
  uint32_t at[MOST_CLOCKS];
} VectorClock;

// The last read of a thread, or a write.
typedef struct RaceDeed {
  uint32_t tick, place; // tick 0: none; a site, as it is told
  uint16_t thread;
  bool is_atomic;
} RaceDeed;

// Bytes that were always accessed together, mostly all that are accessed of the
// cell, and mostly read by one thread alone.
typedef struct RaceCell {
  uint64_t key : 48;   // address / 8 + 1; 0: free
  uint64_t bytes : 8;  // of the cell, as bits; of a new one none
  uint64_t starts : 8; // of the cell: where atomic operations have begun
  uint32_t shared;     // number of what all threads have read, or 0
  uint32_t next;       // number of the part that has other bytes, or 0
  RaceDeed write, read;
} RaceCell;

typedef struct SharedReads {
  RaceDeed at[MOST_CLOCKS];
} SharedReads;

typedef struct RaceObject {
  uint64_t key;
  uint64_t bytes;   // of the widest atomic operation here
  uint64_t holders; // threads that have released here, as bits
  VectorClock clock;
} RaceObject;

static VectorClock clocks[MOST_CLOCKS];
// What a thread has read by relaxed operations, which it comes after from its
// next fence on, and what came before its last fence, which those pass on.
static VectorClock seen[MOST_CLOCKS], fenced[MOST_CLOCKS];
static bool has_relaxed;        // one of these is not empty
static RaceCell *cells, *parts; // the first part is none
static RaceObject *objects;
static SharedReads *shared; // the first one is nobody's
static uint32_t *used_cells, used_objects[OBJECTS];
static uint32_t cell_count, cell_room, part_count;
static uint32_t object_count, shared_count, shared_room;

// Once there are too many of something, this stays off until the run ends.
static bool is_on(void) {
  if (!world.watches_races)
    return false;
  if (world.count <= MOST_CLOCKS && cell_count < MOST_CELLS / 2 &&
      part_count < MOST_PARTS - 8 && object_count < OBJECTS / 2 &&
      shared_count < MOST_SHARED)
    return true;
  world.misses_races = true;
  return false;
}

static void open_cells(uint32_t room) {
  free(used_cells);
  cells = calloc(room, sizeof *cells);
  used_cells = malloc(room * sizeof *used_cells);
  cell_room = room;
  if (!cells || !used_cells)
    abort();
}

void races_reset(void) {
  if (!cells)
    open_cells(FEW_CELLS);
  if (!objects)
    objects = calloc(OBJECTS, sizeof *objects);
  if (!parts)
    parts = calloc(MOST_PARTS, sizeof *parts);
  if (!objects || !parts)
    abort();
  for (uint32_t i = 0; i < cell_count; i++)
    cells[used_cells[i]] = (RaceCell){0};
  for (uint32_t i = 0; i < object_count; i++)
    objects[used_objects[i]] = (RaceObject){0};
  cell_count = object_count = 0;
  part_count = shared_count = 1;
  memset(clocks, 0, sizeof clocks);
  if (has_relaxed) {
    memset(seen, 0, sizeof seen);
    memset(fenced, 0, sizeof fenced);
  }
  has_relaxed = false;
  for (unsigned i = 0; i < MOST_CLOCKS; i++)
    clocks[i].at[i] = 1;
}

static uint32_t hash(uint64_t key, uint32_t room) {
  return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (room - 1);
}

static RaceCell *find_cell(uint64_t key) {
  uint32_t i = hash(key, cell_room);
  while (cells[i].key && cells[i].key != key)
    i = (i + 1) & (cell_room - 1);
  if (!cells[i].key)
    used_cells[cell_count++] = i;
  cells[i].key = key & UINT64_MAX >> 16;
  return &cells[i];
}

static void grow_cells(void) {
  RaceCell *before = cells;
  uint32_t room = cell_room;
  open_cells(2 * room);
  cell_count = 0;
  for (uint32_t i = 0; i < room; i++)
    if (before[i].key)
      *find_cell(before[i].key) = before[i];
  free(before);
}

static RaceCell *cell_of(uint64_t key) {
  if (cell_count >= cell_room / 2)
    grow_cells();
  return find_cell(key);
}

static RaceObject *find_object(uint64_t key) {
  uint32_t i = hash(key, OBJECTS);
  while (objects[i].key && objects[i].key != key)
    i = (i + 1) & (OBJECTS - 1);
  if (!objects[i].key)
    used_objects[object_count++] = i;
  objects[i].key = key;
  return &objects[i];
}

static VectorClock *object_of(const void *object) {
  return &find_object((uint64_t)(uintptr_t)object)->clock;
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

static void take(const RaceObject *object, bool acquires) {
  unsigned self = world.self->index;
  join(acquires ? &clocks[self] : &seen[self], &object->clock);
  has_relaxed |= !acquires;
}

// Who waits for a part of what others change as a whole, or the other way
// round, comes after them, too.
static void take_overlapping(const RaceCell *cell, uint64_t at, uint64_t bytes,
                             bool acquires) {
  for (uint64_t i = 0; i < 8; i++) {
    uint64_t start = at / 8 * 8 + i;
    if (start == at || !(cell->starts >> i & 1))
      continue;
    const RaceObject *other = find_object(start);
    if (start < at + bytes && at < start + other->bytes)
      take(other, acquires);
  }
}

// A store begins what others may read from anew, but for a thread's own stores
// behind what it has released there.
static void pass_on(RaceObject *object, const DeedSite *deed) {
  unsigned self = world.self->index;
  uint64_t bit = UINT64_C(1) << self;
  bool goes_on = deed->exchanges || (!deed->releases && object->holders & bit);
  if (!goes_on) {
    object->clock = (VectorClock){0};
    object->holders = 0;
  }
  join(&object->clock, deed->releases ? &clocks[self] : &fenced[self]);
  if (deed->releases || fenced[self].at[self])
    object->holders |= bit;
  if (deed->releases)
    clocks[self].at[self]++;
}

void races_atomic(const void *at, const DeedSite *deed) {
  uint64_t address = (uint64_t)(uintptr_t)at, bytes = deed->bytes;
  bool writes = deed->kind == DEED_ATOMIC_WRITE;
  if (!is_on())
    return;
  RaceCell *cell = cell_of(address / 8 + 1);
  RaceObject *object = find_object(address);
  if (!writes || deed->exchanges) {
    take(object, deed->acquires);
    take_overlapping(cell, address, bytes, deed->acquires);
  }
  if (!writes)
    return;
  object->bytes = object->bytes < bytes ? bytes : object->bytes;
  cell->starts = (uint8_t)(cell->starts | 1u << address % 8);
  pass_on(object, deed);
}

void races_fence(bool acquires, bool releases) {
  if (!is_on())
    return;
  unsigned self = world.self->index;
  if (acquires)
    join(&clocks[self], &seen[self]);
  if (!releases)
    return;
  fenced[self] = clocks[self];
  clocks[self].at[self]++;
  has_relaxed = true;
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
static void tell(const RaceDeed *other, bool is_write, bool other_writes) {
  if (world.flaw.mishap)
    return;
  world.flaw = (RunEnd){.mishap = MISHAP_RACE,
                        .site = world_place(),
                        .thread = world.self->index,
                        .other_site = other->place,
                        .other_thread = other->thread};
  snprintf(world.flaw.text, sizeof world.flaw.text,
           "nothing orders this %s and thread %u's %s (%s)",
           is_write ? "write" : "read", other->thread,
           other_writes ? "write" : "read", world_site_text(other->place));
  world.flaw.other_writes = other_writes;
}

static bool is_before(unsigned thread, uint32_t tick) {
  return tick <= clocks[world.self->index].at[thread];
}

static bool is_atomic(uint32_t site) {
  DeedKind kind = world.sites[site].kind;
  return kind == DEED_ATOMIC_READ || kind == DEED_ATOMIC_WRITE;
}

static void compare(const RaceDeed *other, bool is_write, bool other_writes) {
  if (other->tick && other->thread != world.self->index &&
      !is_before(other->thread, other->tick) &&
      !(is_atomic(world.site) && other->is_atomic))
    tell(other, is_write, other_writes);
}

static void look(const RaceCell *cell, bool is_write) {
  compare(&cell->write, is_write, true);
  if (!is_write)
    return;
  if (!cell->shared)
    compare(&cell->read, is_write, false);
  else
    for (unsigned i = 0; i < world.count; i++)
      compare(&shared[cell->shared].at[i], is_write, false);
}

static uint32_t new_shared(void) {
  if (shared_count >= shared_room) {
    shared_room = shared_room ? 2 * shared_room : 256;
    shared = realloc(shared, shared_room * sizeof *shared);
    if (!shared)
      abort();
  }
  shared[shared_count] = (SharedReads){0};
  return shared_count++;
}

// Where the deed is kept that this read takes the place of: the thread's own.
static RaceDeed *place_of_read(RaceCell *cell) {
  unsigned self = world.self->index;
  if (!cell->shared && (!cell->read.tick || cell->read.thread == self))
    return &cell->read;
  if (!cell->shared) {
    cell->shared = new_shared();
    shared[cell->shared].at[cell->read.thread] = cell->read;
  }
  return &shared[cell->shared].at[self];
}

static void keep(RaceCell *cell, bool is_write) {
  unsigned self = world.self->index;
  RaceDeed *place = is_write ? &cell->write : place_of_read(cell);
  *place = (RaceDeed){clocks[self].at[self], world_place(), (uint16_t)self,
                      is_atomic(world.site)};
}

static uint32_t new_part(RaceCell part) {
  parts[part_count] = part;
  return part_count++;
}

// The other bytes become a part of their own, which begins with the same.
static void split(RaceCell *part, uint8_t bytes) {
  RaceCell other = *part;
  other.bytes = part->bytes & (uint8_t)~bytes;
  if (other.shared) {
    other.shared = new_shared();
    shared[other.shared] = shared[part->shared];
  }
  part->bytes = bytes;
  part->next = new_part(other);
}

static void access_part(RaceCell *part, uint8_t bytes, bool is_write) {
  if (part->bytes != bytes)
    split(part, bytes);
  look(part, is_write);
  keep(part, is_write);
}

static void access_cell(RaceCell *cell, uint8_t bytes, bool is_write) {
  if (!cell->bytes)
    cell->bytes = bytes;
  for (RaceCell *part = cell; bytes; part = &parts[part->next]) {
    uint8_t common = part->bytes & bytes;
    if (common)
      access_part(part, common, is_write);
    bytes &= (uint8_t)~common;
    if (bytes && !part->next)
      part->next = new_part((RaceCell){.bytes = bytes});
  }
}

void races_access(const void *at, uint64_t bytes, bool is_write) {
  uint64_t from = (uint64_t)(uintptr_t)at, end = from + bytes;
  for (; from < end && is_on(); from = (from | 7) + 1) {
    RaceCell *cell = cell_of(from / 8 + 1);
    uint8_t mask = 0;
    for (uint64_t i = from; i < end && i / 8 == from / 8; i++)
      mask |= (uint8_t)(1u << i % 8);
    access_cell(cell, mask, is_write);
  }
}
