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

void *copied_take(uint64_t bytes) {
  Spare *spare = spares;
  if (spare) {
    void *at = spare->at;
    spares = spare->next;
    free(spare);
    return at;
  }
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    machine_fail(INCIDENT_LIMIT, "no memory for the copies of a block");
  return at;
}

void copied_give(void *at) {
  Spare *spare = malloc(sizeof *spare);
  if (!spare)
    machine_fail(INCIDENT_LIMIT, "not enough memory");
  *spare = (Spare){spares, at};
  spares = spare;
}

// ---------------------------------------------------------------- reports ---

// Of one byte the whole access is told.
static Actor actor_at(const char *at, uint32_t thread, uint32_t site) {
  const Code *code = machine.run->code;
  uint32_t number = code->cut_sites + site;
  assert(number < code->sites.count);
  unsigned bytes = code->sites.at[number].alignment;
  const Region *region = region_find(at);
  Actor actor = {.site = number, .array = NO_ARRAY, .bytes = bytes};
  if (region) {
    actor.array = region->array;
    actor.offset = at - (uintptr_t)at % bytes - region->at;
  }
  memcpy(actor.block, machine.self->group->id, sizeof actor.block);
  grid_place(thread, machine.run->block, actor.thread);
  return actor;
}

static void tell_race(char *at, uint32_t thread, uint32_t site, uint32_t other,
                      uint32_t other_site) {
  Incident incident = {
      .kind = INCIDENT_RACE,
      .count = 2,
      .actors = {actor_at(at, thread, site), actor_at(at, other, other_site)}};
  machine_note(&incident);
}

static void tell_trouble(IncidentKind kind, const char *text) {
  Incident incident = {.kind = kind};
  snprintf(incident.text, sizeof incident.text, "%s", text);
  machine_note(&incident);
}

void copied_tell(uint32_t kind, char *at, uint32_t thread, uint32_t site,
                 uint32_t other, uint32_t other_site) {
  switch (kind) {
  case VALUES_SAME_VALUE:
    if (machine.run->tolerates_same_value)
      return;
    tell_race(at, thread, site, other, other_site);
    return;
  case VALUES_WRITE_WRITE:
  case VALUES_READ_WRITE:
    tell_race(at, thread, site, other, other_site);
    return;
  case VALUES_DIVERGES:
    tell_trouble(INCIDENT_DIVERGENCE,
                 "barrier divergence: threads of a block are at different "
                 "barriers, or have left");
    return;
  case VALUES_UNSTABLE:
    tell_trouble(INCIDENT_REFUSED,
                 "a region that is executed again does something else, though "
                 "it reads nothing that other units have written");
    return;
  case VALUES_FULL:
    tell_trouble(INCIDENT_LIMIT,
                 "more bytes are written between two barriers than there is "
                 "room for copies of");
    return;
  }
  assert(!"an unknown report");
}
