// What a kernel asks for that executes its regions twice, and what it tells.
//
// The kernel was cut by runtime/values/, and finds races itself; here its
// reports become incidents.  Memory for the copies of a block is reserved as
// much as there may ever be copies, touched where there are some, and kept for
// the next block.

#define _GNU_SOURCE

#include "runtime/machine/copied.h"
#include "runtime/machine/reshuffle.h"
#include "runtime/machine/twice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCK_LINES = 1 << 19, CHUNKS = 1 << 24 }; // most

// Of one size: memory that is laid out for another one is not all zero.
typedef struct Spare {
  struct Spare *next;
  void *at;
} Spare;

static Spare *spares, *taken;
static uint64_t spare_bytes;

// Until all executions of the grid are over.
static void *records;

void *copied_reserve(uint64_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    machine_fail(INCIDENT_LIMIT,
                 "no memory for copies: the system does not give %llu MB",
                 (unsigned long long)(bytes >> 20));
  return at;
}

static Spare *new_spare(uint64_t bytes) {
  Spare *spare = malloc(sizeof *spare);
  if (!spare)
    machine_fail(INCIDENT_LIMIT, "not enough memory");
  *spare = (Spare){NULL, copied_reserve(bytes)};
  return spare;
}

static Spare *first_of(Spare **list) {
  Spare *first = *list;
  *list = first->next;
  return first;
}

static void put(Spare **list, Spare *spare) {
  spare->next = *list;
  *list = spare;
}

static void give_back(Spare **list) {
  while (*list) {
    Spare *spare = first_of(list);
    munmap(spare->at, spare_bytes);
    free(spare);
  }
}

void *__gpuverify_values_take(uint64_t bytes, uint64_t bytes_a_line,
                              uint32_t *lines) {
  uint64_t all = bytes + BLOCK_LINES * bytes_a_line;
  *lines = BLOCK_LINES;
  if (spare_bytes != all)
    give_back(&spares);
  spare_bytes = all;
  put(&taken, spares ? first_of(&spares) : new_spare(all));
  return taken->at;
}

void __gpuverify_values_give(void *at) {
  Spare **link = &taken;
  while ((*link)->at != at)
    link = &(*link)->next;
  put(&spares, first_of(link));
}

uint64_t __gpuverify_values_shared(uint32_t *lines) {
  enum { GAP = 256 }; // before the dynamic variables
  const Run *run = machine.run;
  uint64_t all =
      (run->code->shared_bytes + run->dynamic_shared + GAP) / VALUES_LINE + 2;
  *lines = all < VALUES_SHARED_LINES ? (uint32_t)all : VALUES_SHARED_LINES;
  return (uintptr_t)machine.image->shared;
}

static uint64_t log_bytes(void) {
  return VALUES_LOG_BYTES + (uint64_t)CHUNKS * VALUES_CHUNK_BYTES;
}

void *__gpuverify_values_log(uint32_t *chunks) {
  *chunks = CHUNKS;
  if (!records)
    records = copied_reserve(log_bytes());
  return records;
}

void __gpuverify_values_wait(void) { machine_wait(THREAD_AT_BARRIER); }

// ------------------------------------------------------------------- ids ---

uint32_t __gpuverify_values_threads(void) { return machine.threads; }
uint32_t __gpuverify_values_thread(void) { return machine.self->index; }

uint64_t __gpuverify_values_blocks(void) {
  const uint32_t *size = machine.run->grid;
  return (uint64_t)size[0] * size[1] * size[2];
}

uint32_t __gpuverify_values_block(void) {
  const uint32_t *size = machine.run->grid, *id = machine.self->group->id;
  return id[0] + size[0] * (id[1] + size[1] * id[2]);
}

// ------------------------------------------------------------- execution ---

// Blocks that have not ended leave something in their copies.
void copied_forget(void) {
  give_back(&taken);
  if (records)
    munmap(records, log_bytes());
  records = NULL;
}

void copied_run(const Run *run, Image *image, Outcome *outcome) {
  const uint32_t *size = run->grid;
  uint64_t blocks = (uint64_t)size[0] * size[1] * size[2];
  outcome->sharing = (Sharing){0};
  if (run->code->is_repeated) {
    twice_run(run, image, outcome);
  } else if (run->code->is_cut && blocks > 1) {
    reshuffle_run(run, image, outcome);
  } else {
    machine_execute(run, image, outcome);
    copied_forget();
  }
}

// ---------------------------------------------------------------- reports ---

// Of one byte the whole access is told.
static Actor actor_at(const Run *run, Where at, uint32_t block,
                      uint32_t place) {
  uint32_t number = run->code->cut_sites + (place >> VALUES_SITE_SHIFT);
  assert(number < run->code->sites.count);
  unsigned bytes = run->code->sites.at[number].alignment;
  Actor actor = {.site = number, .array = at.array, .bytes = bytes};
  if (at.array != NO_ARRAY)
    actor.offset = at.offset - at.offset % bytes;
  grid_place(block, run->grid, actor.block);
  grid_place(place % (1u << VALUES_SITE_SHIFT), run->block, actor.thread);
  return actor;
}

Incident copied_race(const Run *run, Where at, uint32_t block, uint32_t place,
                     uint32_t other_block, uint32_t other_place) {
  return (Incident){.kind = INCIDENT_RACE,
                    .count = 2,
                    .actors = {actor_at(run, at, block, place),
                               actor_at(run, at, other_block, other_place)}};
}

const char *copied_trouble(const Run *run, uint32_t kind,
                           IncidentKind *incident) {
  *incident = INCIDENT_DIVERGENCE;
  switch (kind) {
  case VALUES_DIVERGES:
    return "barrier divergence: threads of a block are at different barriers";
  case VALUES_LEFT:
    return "barrier divergence: threads of a block are at a barrier, and "
           "others have left";
  case VALUES_UNSTABLE:
    *incident = INCIDENT_REFUSED;
    return run->code->has_warp_units
               ? "a warp that executes a region again does something else, "
                 "though it reads nothing that others have written: its own "
                 "threads may race with each other"
               : "a thread that executes a region again does something else, "
                 "though it reads nothing that others have written";
  case VALUES_BLOCKS:
    *incident = INCIDENT_LIMIT;
    return "--detect=values: no more than 1048575 blocks are compared";
  case VALUES_FULL:
    *incident = INCIDENT_LIMIT;
    return "more lines of 64 bytes are written between two barriers than there "
           "is room for copies of";
  case VALUES_GRID_FULL:
    *incident = INCIDENT_LIMIT;
    return "more lines of 64 bytes are written by the grid than there is "
           "memory for copies of: see --values-memory";
  case VALUES_CROSSES:
    *incident = INCIDENT_MISALIGNED;
    return "an access is not aligned to its width";
  case VALUES_FLIGHTS:
    *incident = INCIDENT_LIMIT;
    return "--detect=values: a thread has more than 64 asynchronous copies on "
           "their way";
  case VALUES_RECORDS:
    *incident = INCIDENT_LIMIT;
    return "more atomic operations are executed than there is room to record";
  }
  return NULL;
}

static Where find(const char *at) {
  const Region *region = region_find(at);
  return region ? (Where){region->array, at - region->at}
                : (Where){NO_ARRAY, 0};
}

// Whole programs go on where threads have left, as with other detectors.
void __gpuverify_values_tell(uint32_t kind, const void *at, uint32_t block,
                             uint32_t place, uint32_t other_block,
                             uint32_t other_place) {
  const Run *run = machine.run;
  Incident incident = {0};
  const char *text = copied_trouble(run, kind, &incident.kind);
  if (kind == VALUES_SAME_VALUE && run->tolerates_same_value)
    return;
  if (kind == VALUES_GRID_FULL)
    reshuffle_give_way();
  if (kind == VALUES_UNSTABLE && reshuffle_shares())
    text =
        "blocks that share copies do something else when they are executed "
        "again: they may race with each other";
  bool goes_on =
      kind == VALUES_UNSTABLE || (kind == VALUES_LEFT && run->passes_left);
  if (text && !goes_on)
    machine_fail(incident.kind, "%s", text);
  if (text)
    snprintf(incident.text, sizeof incident.text, "%s", text);
  else
    incident =
        copied_race(run, find(at), block, place, other_block, other_place);
  bool is_same_thread = block == other_block &&
                        (place ^ other_place) % (1u << VALUES_SITE_SHIFT) == 0;
  if (!text && is_same_thread)
    snprintf(incident.text, sizeof incident.text,
             "the copy is asynchronous, and has not been waited for");
  machine_note(&incident);
}
