// The races of one run, exactly.
//
// For each byte we keep the accesses that a later one could still race with.
// Two accesses are ordered if one thread makes both, if a barrier of the block
// lies between them (another interval), if a barrier of the grid does (another
// epoch), or if __syncwarp does: for that, lanes of a warp have vector clocks.
// Fences and atomics order nothing here.
//
// An access goes when a later one that it is ordered before would race with
// whatever it could race with.  Of accesses of one kind that nothing orders,
// two by different blocks, or by different warps of a block in one interval,
// are enough: nobody is ordered behind both and not behind a third.  If the
// kernel has no __syncwarp, two threads will do for two warps.

#define _GNU_SOURCE

#include "runtime/machine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CELLS_A_CHUNK = 4096 };

typedef struct Cell {
  struct Cell *next;
  uint64_t block;
  int64_t offset;
  uint32_t thread, interval, epoch, clock, site, bytes;
  SiteKind kind;
} Cell;

struct Shadow {
  Cell **cells; // by byte; also below the array, if it goes on there
  uint64_t before, bytes;
};

typedef struct Chunk {
  struct Chunk *next;
  Cell cells[CELLS_A_CHUNK];
} Chunk;

// Two plain writes: a race unless the second changes nothing.
typedef struct Pending {
  bool is_open;
  Incident incident;
  char *at;
  uint64_t bytes;
  char old[16];
} Pending;

static Pending pending;
static Cell *free_cells;
static Chunk *chunks;

static void add_chunk(void) {
  Chunk *chunk = malloc(sizeof *chunk);
  if (!chunk)
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  chunk->next = chunks;
  chunks = chunk;
  for (unsigned i = 0; i < CELLS_A_CHUNK; i++) {
    chunk->cells[i].next = free_cells;
    free_cells = &chunk->cells[i];
  }
}

static Cell *new_cell(void) {
  if (!free_cells)
    add_chunk();
  Cell *cell = free_cells;
  free_cells = cell->next;
  return cell;
}

static void free_cell(Cell *cell) {
  cell->next = free_cells;
  free_cells = cell;
}

static uint64_t size_of(const Shadow *shadow) {
  return (shadow->before + shadow->bytes + 1) * sizeof(Cell *);
}

static Shadow *new_shadow(const Region *region) {
  Shadow *shadow = calloc(1, sizeof *shadow);
  if (!shadow)
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  *shadow = (Shadow){.before = region->before, .bytes = region->bytes};
  void *cells = mmap(NULL, size_of(shadow), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (cells == MAP_FAILED) {
    free(shadow);
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  }
  shadow->cells = (Cell **)cells + region->before;
  return shadow;
}

static void free_shadow(Shadow *shadow) {
  if (!shadow)
    return;
  munmap(shadow->cells - shadow->before, size_of(shadow));
  free(shadow);
}

// Its cells can be taken again, and so can the rest of it.
static void empty_shadow(Shadow *shadow) {
  for (uint64_t i = 0; shadow && i < shadow->bytes; i++) {
    Cell **list = &shadow->cells[i];
    for (Cell *next; *list; *list = next) {
      next = (*list)->next;
      free_cell(*list);
    }
  }
}

void races_forget(Group *group) {
  for (size_t i = 0; i < machine.run->code->variables.count; i++)
    empty_shadow(group->shadow[i]);
}

void races_close_group(Group *group) {
  for (size_t i = 0; i < machine.run->code->variables.count; i++)
    free_shadow(group->shadow[i]);
}

void races_close(void) {
  const Memory *memory = machine.memory;
  for (unsigned i = 0; memory && i < memory->count; i++)
    free_shadow(memory->regions[i].shadow);
  for (Chunk *next; chunks; chunks = next) {
    next = chunks->next;
    free(chunks);
  }
  free_cells = NULL;
  pending.is_open = false;
}

static Shadow *shadow_of(Region *region) {
  Shadow **shadow = &region->shadow;
  if (region->space == SPACE_SHARED)
    shadow = &machine.self->group
                  ->shadow[(size_t)region->array - machine.run->buffers.count];
  if (!*shadow)
    *shadow = new_shadow(region);
  return *shadow;
}

// ----------------------------------------------------------------- order ---

static bool is_ordered(const Cell *cell) {
  const Thread *self = machine.self;
  if (cell->epoch != machine.grid_epoch)
    return true;
  if (cell->block != self->group->index)
    return false;
  if (cell->thread == self->index || cell->interval != self->group->interval)
    return true;
  return cell->thread / LANES == self->index / LANES &&
         self->clock[cell->thread % LANES] >= cell->clock;
}

static Scope scope_of(uint32_t site) {
  return machine.run->code->sites.at[site].scope;
}

static bool conflict(const Cell *cell, const Actor *actor, SiteKind kind) {
  if (cell->kind == SITE_READ && kind == SITE_READ)
    return false;
  if (cell->kind != SITE_ATOMIC || kind != SITE_ATOMIC)
    return true;
  return cell->block != machine.self->group->index &&
         (scope_of(cell->site) < SCOPE_GRID ||
          scope_of(actor->site) < SCOPE_GRID);
}

// Whatever races with the cell will race with the access that comes now.
static bool is_replaced(const Cell *cell, SiteKind kind) {
  return cell->block == machine.self->group->index && is_ordered(cell) &&
         (kind == SITE_WRITE || kind == cell->kind);
}

static bool are_enough(const Cell *a, const Cell *b) {
  if (a->epoch != machine.grid_epoch || b->epoch != machine.grid_epoch)
    return false;
  if (a->block != b->block)
    return true;
  return a->block == machine.self->group->index &&
         a->interval == machine.self->group->interval &&
         b->interval == machine.self->group->interval &&
         (a->thread / LANES != b->thread / LANES ||
          (a->thread != b->thread && !machine.run->code->has_warp_sync));
}

// ---------------------------------------------------------------- report ---

static void fill_thread(uint32_t id[3], uint64_t index,
                        const uint32_t size[3]) {
  id[0] = (uint32_t)(index % size[0]);
  id[1] = (uint32_t)(index / size[0] % size[1]);
  id[2] = (uint32_t)(index / size[0] / size[1]);
}

static Incident race_incident(const Cell *cell, const Actor *actor) {
  Incident incident = {.kind = INCIDENT_RACE, .count = 2};
  Actor *other = &incident.actors[1];
  incident.actors[0] = *other = *actor;
  fill_thread(other->thread, cell->thread, machine.run->block);
  fill_thread(other->block, cell->block, machine.run->grid);
  other->site = cell->site;
  other->offset = cell->offset;
  other->bytes = cell->bytes;
  return incident;
}

static void report(const Cell *cell, Region *region, const Actor *actor,
                   SiteKind kind) {
  Incident incident = race_incident(cell, actor);
  bool may_be_same = cell->kind == SITE_WRITE && kind == SITE_WRITE &&
                     actor->bytes <= sizeof pending.old;
  if (!may_be_same || !machine.run->tolerates_same_value) {
    machine_note(&incident);
    return;
  }
  pending = (Pending){.is_open = true,
                      .incident = incident,
                      .at = region->at + actor->offset,
                      .bytes = actor->bytes};
  memcpy(pending.old, pending.at, pending.bytes);
}

void races_settle(void) {
  if (!pending.is_open)
    return;
  pending.is_open = false;
  if (memcmp(pending.old, pending.at, pending.bytes) != 0)
    machine_note(&pending.incident);
}

// ----------------------------------------------------------------- check ---

static void remember(Cell **list, const Actor *actor, SiteKind kind) {
  const Thread *self = machine.self;
  Cell *cell = new_cell();
  *cell = (Cell){.next = *list,
                 .block = self->group->index,
                 .offset = actor->offset,
                 .thread = self->index,
                 .interval = self->group->interval,
                 .epoch = machine.grid_epoch,
                 .clock = self->clock[self->index % LANES],
                 .site = actor->site,
                 .bytes = (uint32_t)actor->bytes,
                 .kind = kind};
  *list = cell;
}

// One byte.  True: a race was found.
static bool check_byte(Cell **list, Region *region, const Actor *actor,
                       SiteKind kind, bool has_raced) {
  const Cell *alike = NULL;
  bool is_enough = false;
  for (Cell **at = list, *cell; (cell = *at);) {
    if (!has_raced && !is_ordered(cell) && conflict(cell, actor, kind)) {
      report(cell, region, actor, kind);
      has_raced = true;
    }
    if (is_replaced(cell, kind)) {
      *at = cell->next;
      free_cell(cell);
      continue;
    }
    if (cell->kind == kind) {
      is_enough |= alike && are_enough(alike, cell);
      alike = alike ? alike : cell;
    }
    at = &cell->next;
  }
  if (!is_enough)
    remember(list, actor, kind);
  return has_raced;
}

void races_check(Region *region, Actor *actor, SiteKind kind) {
  bool has_raced = false;
  if (region->space == SPACE_CONSTANT)
    return;
  Shadow *shadow = shadow_of(region);
  for (uint64_t i = 0; i < actor->bytes; i++)
    has_raced |= check_byte(&shadow->cells[actor->offset + (int64_t)i], region,
                            actor, kind, has_raced);
}
