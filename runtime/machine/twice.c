// A launch whose threads are ordered by more than the barriers of their blocks,
// executed twice in one order.
//
// What runtime/values/ cannot cut into regions is one region, from its begin to
// its end, of all blocks.  In the first execution all threads work on memory
// itself, and each byte knows who has written it (writers.c).  What orders
// threads, that is, named barriers, mbarriers, barriers of the grid, locks, and
// flags with fences, happens in some order then, which the machine's schedule
// gives.  Before a byte is written for the first time it is saved.  For the
// second execution memory becomes what it was, and the schedule, which depends
// on nothing but the code and the values, is the same.  Now each read is held
// against all that was written in the first one.
//
// So reads are never recorded.  That both executions were the same is watched:
// by a number made of all accesses as they come, and by what is in memory at
// the end.  What would differ is replayed: clocks say what they said, the heap
// is what it was, and nothing is printed again.

#include "runtime/machine/twice.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };

// Bytes as they were before the first execution, and behind it.
typedef struct Saved {
  char *at;
  uint64_t bytes;
  char *before, *after;
} Saved;

static struct {
  unsigned execution;
  Saved *saved;
  size_t count, capacity;
  uintptr_t *chunks; // that are saved: a hash table, 0: free
  size_t room;
  uintptr_t last;
  uint64_t *clocks;
  size_t clock_count, clock_room, clock_next;
  uint64_t heap_next; // as it was
  size_t children;
  uint64_t steps; // a number made of the accesses of this execution
} twice;

unsigned twice_execution(void) { return twice.execution; }

// ------------------------------------------------------------------ steps ---

void twice_note_step(uint32_t site, int64_t offset) {
  const Thread *self = machine.self;
  uint64_t what = (uint64_t)offset ^ (uint64_t)site << 40 ^
                  self->group->index << 20 ^ self->index;
  twice.steps =
      (twice.steps ^ what) * UINT64_C(0x9e3779b97f4a7c15) + (twice.steps >> 29);
}

uint64_t twice_clock(uint64_t now) {
  if (!twice.execution)
    return now;
  if (twice.execution == 2)
    return twice.clock_next < twice.clock_count
               ? twice.clocks[twice.clock_next++]
               : now;
  uint64_t *grown = machine_grown(twice.clocks, twice.clock_count,
                                  &twice.clock_room, sizeof *grown);
  if (!grown)
    machine_fail(INCIDENT_LIMIT, "no memory to keep what clocks say");
  twice.clocks = grown;
  return twice.clocks[twice.clock_count++] = now;
}

// ----------------------------------------------------------------- memory ---

static void lack_memory(void) {
  machine_fail(INCIDENT_LIMIT,
               "no memory to keep what the arrays hold that are written");
}

static void add_saved(char *at, uint64_t bytes) {
  Saved *grown =
      machine_grown(twice.saved, twice.count, &twice.capacity, sizeof *grown);
  char *before = malloc(bytes);
  twice.saved = grown ? grown : twice.saved;
  if (!grown || !before) {
    free(before);
    lack_memory();
  }
  memcpy(before, at, bytes);
  twice.saved[twice.count++] =
      (Saved){.at = at, .bytes = bytes, .before = before};
}

static size_t slot_of(uintptr_t chunk) {
  return (size_t)(chunk / 64 * UINT64_C(0x9e3779b97f4a7c15) >> 20) &
         (twice.room - 1);
}

static void put_chunk(uintptr_t chunk) {
  size_t slot = slot_of(chunk);
  while (twice.chunks[slot])
    slot = (slot + 1) & (twice.room - 1);
  twice.chunks[slot] = chunk;
}

static void grow_chunks(void) {
  enum { FIRST = 1 << 12 };
  uintptr_t *old = twice.chunks;
  size_t room = twice.room;
  twice.chunks = calloc(room ? 2 * room : FIRST, sizeof *twice.chunks);
  if (!twice.chunks) {
    twice.chunks = old;
    lack_memory();
  }
  twice.room = room ? 2 * room : FIRST;
  for (size_t i = 0; i < room; i++)
    if (old[i])
      put_chunk(old[i]);
  free(old);
}

static bool is_saved(uintptr_t chunk) {
  if (chunk == twice.last)
    return true;
  for (size_t slot = twice.room ? slot_of(chunk) : 0;
       twice.room && twice.chunks[slot]; slot = (slot + 1) & (twice.room - 1))
    if (twice.chunks[slot] == chunk)
      return true;
  return false;
}

static void save_chunk(char *at, uint64_t bytes) {
  if (!is_saved((uintptr_t)at)) {
    if (twice.count * 2 >= twice.room)
      grow_chunks();
    put_chunk((uintptr_t)at);
    add_saved(at, bytes);
  }
  twice.last = (uintptr_t)at;
}

void twice_save_bytes(char *first, uint64_t all, uint64_t from,
                      uint64_t bytes) {
  uint64_t end = from + bytes;
  if (twice.execution != 1)
    return;
  for (from = from / CHUNK * CHUNK; from < end && from < all; from += CHUNK)
    save_chunk(first + from, all - from < CHUNK ? all - from : CHUNK);
}

void twice_save(const Region *region, int64_t offset, uint64_t bytes) {
  if (region->space != SPACE_SHARED)
    twice_save_bytes(region->at - region->before,
                     region->before + region->bytes,
                     (uint64_t)(offset + (int64_t)region->before), bytes);
}

// As it was.
static void restore(const Run *run) {
  for (size_t i = 0; i < twice.count; i++)
    memcpy(twice.saved[i].at, twice.saved[i].before, twice.saved[i].bytes);
  if (run->heap)
    run->heap->next = twice.heap_next;
}

static bool keep_results(void) {
  for (size_t i = 0; i < twice.count; i++) {
    Saved *saved = &twice.saved[i];
    saved->after = malloc(saved->bytes);
    if (!saved->after)
      return false;
    memcpy(saved->after, saved->at, saved->bytes);
  }
  return true;
}

static bool are_results_same(void) {
  for (size_t i = 0; i < twice.count; i++)
    if (memcmp(twice.saved[i].at, twice.saved[i].after, twice.saved[i].bytes))
      return false;
  return true;
}

static void drop_children(const Run *run) {
  Children *children = run->children;
  while (children && children->count > twice.children)
    free(children->at[--children->count].parameters);
}

static void close(void) {
  for (size_t i = 0; i < twice.count; i++) {
    free(twice.saved[i].before);
    free(twice.saved[i].after);
  }
  free(twice.saved);
  free(twice.chunks);
  free(twice.clocks);
  memset(&twice, 0, sizeof twice);
}

// -------------------------------------------------------------- execution ---

static bool has_raced(const Outcome *outcome) {
  for (unsigned i = 0; i < outcome->count; i++)
    if (outcome->incidents[i].kind == INCIDENT_RACE)
      return true;
  return false;
}

// No memory, or no time: then there is neither for another one.
static bool is_at_its_limit(const Outcome *outcome) {
  for (unsigned i = 0; i < outcome->count; i++)
    if (outcome->incidents[i].kind == INCIDENT_LIMIT ||
        outcome->incidents[i].kind == INCIDENT_ENDLESS ||
        outcome->incidents[i].kind == INCIDENT_CRASH)
      return true;
  return machine_is_late;
}

static void tell(Outcome *outcome, IncidentKind kind, const char *text) {
  Incident incident = {.kind = kind, .times = 1};
  snprintf(incident.text, sizeof incident.text, "%s", text);
  if (outcome->count < MOST_INCIDENTS)
    outcome->incidents[outcome->count++] = incident;
}

static void run_again(const Run *run, Image *image, Outcome *outcome) {
  double seconds = outcome->seconds;
  uint64_t steps = outcome->steps, before = twice.steps;
  bool was_done = outcome->is_done;
  twice.execution = 2;
  twice.steps = 0;
  restore(run);
  drop_children(run);
  machine_close();
  writers_begin_again();
  if (machine_open(run, image, outcome))
    machine_run();
  outcome->seconds += seconds;
  outcome->steps += steps;
  bool is_same = twice.steps == before && outcome->is_done == was_done &&
                 are_results_same();
  if (!is_same && !has_raced(outcome) && !is_at_its_limit(outcome))
    tell(outcome, INCIDENT_REFUSED,
         "the second execution is not what the first one was, though no race "
         "was seen");
}

void twice_run(const Run *run, Image *image, Outcome *outcome) {
  twice.execution = 1;
  twice.children = run->children ? run->children->count : 0;
  twice.heap_next = run->heap ? run->heap->next : 0;
  if (machine_open(run, image, outcome))
    machine_run();
  if (is_at_its_limit(outcome))
    ;
  else if (keep_results())
    run_again(run, image, outcome);
  else
    tell(outcome, INCIDENT_LIMIT, "no memory to keep what the launch has left");
  writers_close();
  close();
}
