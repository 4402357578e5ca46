// The arrays of a run, and what may be accessed.
//
// Every access is looked up among the buffers and variables of the run, and one
// that lies in none of them ends the run.  A thread may access its own stack
// and no other thread's.  Buffers for replay are larger than the machine's
// memory: their pages are filled when they are first touched, and counted.

#define _GNU_SOURCE

#include "runtime/machine/races.h"
#include "runtime/machine/twice.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, NULL_PAGE = 4096, WORD = 4 };

// A bit for each word.
static uint64_t known_bytes(const Region *region) {
  return (region->before + region->bytes) / WORD / 8 + 1;
}

static void add_region(Region region) {
  Memory *memory = machine.memory;
  uint64_t reach = region.before + region.bytes;
  if (region.content != CONTENT_GIVEN)
    region.touched = calloc(reach / PAGE / 8 + 1, 1);
  if (machine.run->hints.count && region.space == SPACE_GLOBAL) {
    region.known = mmap(NULL, known_bytes(&region), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region.known == MAP_FAILED)
      region.known = NULL;
  }
  memory->regions[memory->count++] = region;
}

static uint64_t bytes_of(const Variable *variable) {
  if (variable->is_local)
    return *(uint64_t *)machine.run->arguments.at[variable->parameter];
  return variable->is_dynamic ? machine.run->dynamic_shared : variable->bytes;
}

static bool allocate(size_t count) {
  machine.memory = calloc(1, sizeof *machine.memory);
  if (machine.memory)
    machine.memory->regions = calloc(count, sizeof(Region));
  return machine.memory && machine.memory->regions;
}

bool regions_open(void) {
  const Run *run = machine.run;
  const Code *code = run->code;
  if (!allocate(run->buffers.count + code->variables.count + 1))
    return false;
  for (size_t i = 0; i < run->buffers.count; i++) {
    const Buffer *buffer = &run->buffers.at[i];
    add_region((Region){.at = buffer->at,
                        .bytes = buffer->bytes,
                        .before = buffer->before,
                        .is_gone = buffer->is_gone,
                        .heap = buffer->heap,
                        .array = (int)i,
                        .space = SPACE_GLOBAL,
                        .content = buffer->content,
                        .floats = buffer->floats});
  }
  for (size_t i = 0; i < code->variables.count; i++) {
    const Variable *variable = &code->variables.at[i];
    if (variable->at) // a buffer
      continue;
    add_region((Region){.at = machine.image->variables.at[i],
                        .bytes = bytes_of(variable),
                        .array = (int)(run->buffers.count + i),
                        .space = variable->space});
  }
  return true;
}

void regions_close(void) {
  Memory *memory = machine.memory;
  for (unsigned i = 0; memory && i < memory->count; i++) {
    Region *region = &memory->regions[i];
    free(region->touched);
    if (region->known)
      munmap(region->known, known_bytes(region));
  }
  if (memory)
    free(memory->regions);
  free(memory);
}

static bool contains(const Region *region, const char *at) {
  return (uint64_t)(at - region->at) + region->before <
         region->bytes + region->before;
}

Region *region_find(const char *at) {
  Memory *memory = machine.memory;
  if (memory->count && contains(&memory->regions[memory->last], at))
    return &memory->regions[memory->last];
  for (unsigned i = 0; i < memory->count; i++)
    if (contains(&memory->regions[i], at)) {
      memory->last = i;
      return &memory->regions[i];
    }
  return NULL;
}

// --------------------------------------------------------------- outside ---

static uint64_t distance(const Region *region, const char *at) {
  if (contains(region, at))
    return 0;
  const char *end = region->at + region->bytes;
  return at < region->at ? (uint64_t)(region->at - at) : (uint64_t)(at - end);
}

static Incident outside_of(const Region *region, const void *at,
                           uint64_t bytes) {
  Incident incident = {.kind = INCIDENT_OUT_OF_BOUNDS, .count = 1};
  incident.actors[0] = machine_actor(machine.self);
  incident.actors[0].bytes = bytes;
  incident.actors[0].array = region->array;
  incident.actors[0].offset = (const char *)at - region->at;
  snprintf(incident.text, sizeof incident.text,
           region->is_gone ? "its %llu bytes have been given back"
                           : "the array has %llu bytes",
           (unsigned long long)region->bytes);
  return incident;
}

// Of the heap an array is what malloc gave at once.
static Region piece_of(const Region *region, const char *at) {
  HeapPiece piece = heap_piece(region->heap, at);
  return (Region){.at = (char *)(uintptr_t)piece.at,
                  .bytes = piece.bytes,
                  .is_gone = piece.is_gone,
                  .array = region->array};
}

static Incident outside(const void *at, uint64_t bytes) {
  enum { NEAR = 1 << 20 };
  const Memory *memory = machine.memory;
  const Region *nearest = NULL;
  Incident incident = {.kind = INCIDENT_OUT_OF_BOUNDS, .count = 1};
  incident.actors[0] = machine_actor(machine.self);
  incident.actors[0].bytes = bytes;
  for (unsigned i = 0; i < memory->count; i++)
    if (!nearest || distance(&memory->regions[i], at) < distance(nearest, at))
      nearest = &memory->regions[i];
  if ((uintptr_t)at < NULL_PAGE)
    snprintf(incident.text, sizeof incident.text, "the pointer is null");
  else if (!nearest || distance(nearest, at) > NEAR)
    snprintf(incident.text, sizeof incident.text, "far from all arrays");
  else
    return outside_of(nearest, at, bytes);
  return incident;
}

// It does not happen, and what would come after it is not known.
static void lose(const Incident *incident) {
  if (!machine.run->is_logged && !machine.run->is_stopped)
    machine_end(incident);
  machine_note(incident);
  machine_wait(THREAD_LOST);
}

static void check_heap(const Region *region, const char *at, uint64_t bytes) {
  if (!region->heap || heap_has(region->heap, at, bytes))
    return;
  Region piece = piece_of(region, at);
  Incident incident = outside_of(&piece, at, bytes);
  lose(&incident);
}

void region_renew(const char *at, uint64_t bytes) {
  Region *region = region_find(at);
  if (twice_execution())
    writers_renew(at, bytes);
  else if (region)
    shadow_forget_bytes(region, at - region->at, bytes);
}

void region_outside(const void *at, uint64_t bytes) {
  Incident incident = outside(at, bytes);
  lose(&incident);
}

void region_leave_own(int64_t offset, uint64_t bytes, uint64_t size,
                      uint32_t site) {
  Incident incident = {.kind = INCIDENT_OUT_OF_BOUNDS, .count = 1};
  if (machine.self->quiet)
    return;
  machine.self->site = site;
  if (machine.watches_races)
    races_settle();
  incident.actors[0] = machine_actor(machine.self);
  incident.actors[0].array = OWN_ARRAY;
  incident.actors[0].offset = offset;
  incident.actors[0].bytes = bytes;
  snprintf(incident.text, sizeof incident.text,
           "bytes %lld..%lld of an array of %llu", (long long)offset,
           (long long)(offset + (int64_t)bytes - 1), (unsigned long long)size);
  lose(&incident);
}

static const Site *site_of_access(void) {
  uint32_t site = machine.self->site;
  return site == NO_SITE ? NULL : &machine.run->code->sites.at[site];
}

// In the array that the code names?  What a spot has learned is in it, so this
// is asked of the first access only, and of those that leave it.
static void check_source(const Region *region, const char *at, uint64_t bytes) {
  const Memory *memory = machine.memory;
  const Site *site = site_of_access();
  int array = site && site->source
                  ? (int)(machine.run->buffers.count + site->source - 1)
                  : region->array;
  for (unsigned i = 0; array != region->array && i < memory->count; i++)
    if (memory->regions[i].array == array) {
      Incident incident = outside_of(&memory->regions[i], at, bytes);
      lose(&incident);
    }
}

static void lose_misaligned(const Region *region, const char *at,
                            uint64_t bytes, unsigned alignment) {
  Incident incident = {.kind = INCIDENT_MISALIGNED, .count = 1};
  incident.actors[0] = machine_actor(machine.self);
  incident.actors[0].array = region->array;
  incident.actors[0].offset = at - region->at;
  incident.actors[0].bytes = bytes;
  snprintf(incident.text, sizeof incident.text,
           "the address is no multiple of %u", alignment);
  lose(&incident);
}

static void check_alignment(const Region *region, const char *at,
                            uint64_t bytes) {
  const Site *site = site_of_access();
  unsigned alignment = site ? site->alignment : 1;
  if (alignment > 1 && (uintptr_t)at & (alignment - 1))
    lose_misaligned(region, at, bytes, alignment);
}

void region_fault(const void *at) {
  Incident incident = outside(at, 0);
  machine_end(&incident);
}

// --------------------------------------------------------------- content ---

static uint32_t element(Content content, int64_t index) {
  switch (content) {
  case CONTENT_GIVEN:
  case CONTENT_ZERO:
    return 0;
  case CONTENT_IOTA:
    return (uint32_t)index;
  case CONTENT_SMALL:
    return (uint32_t)index & 15;
  case CONTENT_MIXED:
    return (uint32_t)((uint64_t)index * UINT64_C(0x9e3779b97f4a7c15) >> 40 &
                      63);
  }
  return 0;
}

// Bits of a small whole number would be a float next to nothing.
static unsigned put_element(const Region *region, char *at, int64_t offset) {
  unsigned bytes = region->floats == sizeof(double) ? sizeof(double) : WORD;
  uint32_t value = element(region->content, offset / bytes);
  float single = (float)value;
  double number = value;
  if (region->floats == sizeof(double))
    memcpy(at, &number, sizeof number);
  else if (region->floats == sizeof(float))
    memcpy(at, &single, sizeof single);
  else
    memcpy(at, &value, sizeof value);
  return bytes;
}

static void touch_page(Region *region, uint64_t page) {
  uint64_t end = region->before + region->bytes;
  if (region->touched[page / 8] >> page % 8 & 1)
    return;
  region->touched[page / 8] |= (unsigned char)(1 << page % 8);
  machine.pages++;
  if (region->content == CONTENT_ZERO)
    return;
  uint64_t bytes = region->floats > WORD ? region->floats : WORD;
  for (uint64_t at = page * PAGE; at < (page + 1) * PAGE && at + bytes <= end;)
    at += put_element(region, region->at - region->before + at,
                      (int64_t)at - (int64_t)region->before);
}

static void touch(Region *region, const char *at, uint64_t bytes) {
  uint64_t start = (uint64_t)(at - region->at) + region->before;
  for (uint64_t page = start / PAGE; page <= (start + bytes - 1) / PAGE; page++)
    touch_page(region, page);
}

static void limit_pages(void) {
  uint64_t most = machine.run->max_pages;
  if (most && machine.pages > most)
    machine_fail(INCIDENT_LIMIT, "more than %llu pages are touched",
                 (unsigned long long)most);
}

// Once its page is filled, so that it stays.
void regions_put_given(void) {
  const Run *run = machine.run;
  for (size_t i = 0; i < run->given.count; i++) {
    const Given *given = &run->given.at[i];
    Region *region = &machine.memory->regions[given->buffer];
    if (region->touched)
      touch(region, region->at + given->offset, given->bytes);
    memcpy(region->at + given->offset, &given->value, given->bytes);
  }
}

// -------------------------------------------------------------- accesses ---

static void tell_replay(Region *region, char *at, uint64_t bytes,
                        SiteKind kind) {
  Actor actor = machine_actor(machine.self);
  actor.array = region->array;
  actor.offset = at - region->at;
  actor.bytes = bytes;
  machine.run->hooks->actor(region, &actor, kind);
}

static void lose_other_stack(uint64_t bytes) {
  Incident incident = {.kind = INCIDENT_OUT_OF_BOUNDS, .count = 1};
  incident.actors[0] = machine_actor(machine.self);
  incident.actors[0].bytes = bytes;
  snprintf(incident.text, sizeof incident.text,
           "it is in the local memory of another thread");
  lose(&incident);
}

Region *region_of_access(const char *at, uint64_t bytes) {
  Region *region = region_find(at);
  if (!region && stacks_contain(&machine.stacks, at)) {
    if (!stacks_share(&machine.stacks, at, __builtin_frame_address(0)))
      lose_other_stack(bytes);
    return NULL;
  }
  if (!region || region->is_gone ||
      bytes > (uint64_t)(region->at + region->bytes - at))
    region_outside(at, bytes);
  check_heap(region, at, bytes);
  check_source(region, at, bytes);
  check_alignment(region, at, bytes);
  return region;
}

void region_check(char *at, uint64_t bytes, uint32_t site, SiteKind kind) {
  Thread *self = machine.self;
  self->site = site;
  if (machine.watches_races)
    races_settle();
  if (!bytes || self->quiet)
    return;
  if (machine.run->max_steps && ++machine.steps > machine.run->max_steps)
    machine_fail(INCIDENT_ENDLESS, "after %llu steps",
                 (unsigned long long)machine.steps);
  at = clusters_local(at);
  Region *region = region_of_access(at, bytes);
  if (!region)
    return;
  if (region->touched) {
    touch(region, at, bytes);
    limit_pages();
  }
  if (machine.needs_actors)
    tell_replay(region, at, bytes, kind);
  bool is_own = !machine.owner;
  if (!is_own)
    visits_add(region, at, bytes);
  bool can_be_quick = is_own && !twice_execution();
  if (machine.watches_races &&
      !(can_be_quick && spot_learn_races(region, at, bytes, site)))
    races_check(region, at - region->at, bytes, site, kind);
  if (!machine.watches_races && is_own)
    spot_learn(region, bytes, site);
  machine.owner = NULL;
}

void region_access(void *at, uint64_t bytes, uint32_t site) {
  region_check(at, bytes, site, machine.run->code->sites.at[site].kind);
}

void region_fill(void *at, uint64_t bytes, uint32_t site) {
  region_check(at, bytes, site, SITE_WRITE);
}

void region_fetch(void *at, uint64_t bytes, uint32_t site) {
  region_check(at, bytes, site, SITE_READ);
}

const AccessHooks *access_hooks(const Run *run) {
  static const AccessHooks own = {.access = region_access,
                                  .fill = region_fill,
                                  .fetch = region_fetch,
                                  .expect = races_expect};
  return run->watch == WATCH_SCHEDULES ? run->hooks : &own;
}
