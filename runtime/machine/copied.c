// What a kernel asks for that executes its regions twice, and what it tells.
//
// The kernel was cut by runtime/values/, and finds races itself; here its
// reports become incidents.  Memory for the copies of a block is reserved as
// much as there may ever be copies, touched where there are some, and kept for
// the next block.

#define _GNU_SOURCE

#include "runtime/machine/copied.h"
#include "runtime/machine/machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct Spare {
  struct Spare *next;
  void *at;
} Spare;

static Spare *spares;

// Of the grid that is executed; `pass`: how often.
static struct GridCopies {
  void *at;
  uint64_t bytes;
  int32_t pass;
} grid;

static void *reserve(uint64_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    machine_fail(INCIDENT_LIMIT, "no memory for copies");
  return at;
}

void *copied_take(uint64_t bytes) {
  Spare *spare = spares;
  if (!spare)
    return reserve(bytes);
  void *at = spare->at;
  spares = spare->next;
  free(spare);
  return at;
}

void copied_give(void *at) {
  Spare *spare = malloc(sizeof *spare);
  if (!spare)
    machine_fail(INCIDENT_LIMIT, "not enough memory");
  *spare = (Spare){spares, at};
  spares = spare;
}

void *copied_grid(uint64_t bytes, int32_t *pass) {
  *pass = grid.pass;
  if (!grid.pass)
    return NULL;
  if (!grid.at)
    grid.at = reserve(grid.bytes = bytes);
  return grid.at;
}

static void close_grid(void) {
  if (grid.at)
    munmap(grid.at, grid.bytes);
  grid = (struct GridCopies){0};
}

// What the first execution has found may be why the second one goes wrong.
static void run_again(const Run *run, Image *image, Outcome *outcome) {
  double seconds = outcome->seconds;
  uint64_t steps = outcome->steps;
  grid.pass = 2;
  machine_close();
  if (machine_open(run, image, outcome))
    machine_run();
  outcome->seconds += seconds;
  outcome->steps += steps;
}

void copied_run(const Run *run, Image *image, Outcome *outcome) {
  const uint32_t *size = run->grid;
  bool is_twice =
      run->code->is_cut && (uint64_t)size[0] * size[1] * size[2] > 1;
  grid.pass = is_twice;
  if (machine_open(run, image, outcome))
    machine_run();
  if (is_twice && outcome->is_done)
    run_again(run, image, outcome);
  close_grid();
}

// ---------------------------------------------------------------- reports ---

// Of one byte the whole access is told.
static Actor actor_at(const char *at, uint32_t block, uint32_t place) {
  const Run *run = machine.run;
  uint32_t number = run->code->cut_sites + (place >> VALUES_SITE_SHIFT);
  assert(number < run->code->sites.count);
  unsigned bytes = run->code->sites.at[number].alignment;
  const Region *region = region_find(at);
  Actor actor = {.site = number, .array = NO_ARRAY, .bytes = bytes};
  if (region) {
    actor.array = region->array;
    actor.offset = at - (uintptr_t)at % bytes - region->at;
  }
  grid_place(block, run->grid, actor.block);
  grid_place(place % (1u << VALUES_SITE_SHIFT), run->block, actor.thread);
  return actor;
}

static void tell_race(char *at, uint32_t block, uint32_t place,
                      uint32_t other_block, uint32_t other_place) {
  Incident incident = {.kind = INCIDENT_RACE,
                       .count = 2,
                       .actors = {actor_at(at, block, place),
                                  actor_at(at, other_block, other_place)}};
  machine_note(&incident);
}

static void tell_trouble(IncidentKind kind, const char *text) {
  Incident incident = {.kind = kind};
  snprintf(incident.text, sizeof incident.text, "%s", text);
  machine_note(&incident);
}

// Whole programs go on, as with other detectors.
static void tell_left(void) {
  static const char text[] =
      "barrier divergence: threads of a block are at a "
      "barrier, and others have left";
  if (!machine.run->passes_left)
    machine_fail(INCIDENT_DIVERGENCE, "%s", text);
  tell_trouble(INCIDENT_DIVERGENCE, text);
}

void copied_tell(uint32_t kind, char *at, uint32_t block, uint32_t place,
                 uint32_t other_block, uint32_t other_place) {
  switch (kind) {
  case VALUES_SAME_VALUE:
    if (machine.run->tolerates_same_value)
      return;
    tell_race(at, block, place, other_block, other_place);
    return;
  case VALUES_WRITE_WRITE:
  case VALUES_READ_WRITE:
    tell_race(at, block, place, other_block, other_place);
    return;
  case VALUES_DIVERGES:
    machine_fail(INCIDENT_DIVERGENCE,
                 "barrier divergence: threads of a block "
                 "are at different barriers");
  case VALUES_LEFT:
    tell_left();
    return;
  case VALUES_UNSTABLE:
    tell_trouble(
        INCIDENT_REFUSED,
        machine.run->code->has_warp_units
            ? "a warp that executes a region again does something else, though "
              "it reads nothing that others have written: its own threads may "
              "race with each other"
            : "a thread that executes a region again does something else, "
              "though it reads nothing that others have written");
    return;
  case VALUES_BLOCKS:
    machine_fail(INCIDENT_LIMIT,
                 "--detect=values: no more than %d blocks are compared",
                 VALUES_MOST_BLOCKS);
  case VALUES_FULL:
    machine_fail(INCIDENT_LIMIT,
                 "more lines of 64 bytes are written between "
                 "two barriers, or by the grid, than there is "
                 "room for copies of");
  }
  assert(!"an unknown report");
}
