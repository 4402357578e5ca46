// The races of one run, exactly.
//
// Two accesses race if they are of different threads, have a byte in common,
// one of them writes, neither comes before the other (causality.c), and they
// are not both strong: atomic, or in CUDA volatile, of the same bytes and each
// for a scope that has the other thread in it.
//
// For each word we keep the accesses that a later one could still race with
// (shadow.c).  An access goes when a later one that it comes before would race
// with whatever it could race with.  In kernels whose fences and atomics order
// nothing, of weak accesses of one kind that nothing orders two by different
// blocks, or by different warps of a block in one interval, are enough: nobody
// is behind both and not behind a third.  Without __syncwarp two threads will
// do for two warps.

#include "runtime/races.h"

#include <string.h>

// How far a read looks for reads that it takes the place of: where the list is
// new in this interval, and where it is not.
enum { LOOK_BACK = 64, LOOK_BACK_A_LITTLE = 8 };

// Two plain writes: a race unless the second changes nothing.
typedef struct Pending {
  bool is_open;
  Incident incident;
  char *at;
  uint64_t bytes;
  char old[16];
} Pending;

static Pending pending;

void races_forget(Group *group) {
  shadow_forget(group);
  for (unsigned i = 0; group->threads && i < machine.threads; i++)
    causality_forget(&group->threads[i]);
}

void races_forget_bytes(const char *at, uint64_t bytes) {
  Region *region = region_find(at);
  pending.is_open = false;
  region = region ? region : region_find(at + bytes - 1);
  if (region)
    shadow_forget_bytes(region, at - region->at, bytes);
}

void races_close_group(Group *group) {
  for (unsigned i = 0; group->threads && i < machine.threads; i++)
    causality_forget(&group->threads[i]);
  shadow_close_group(group);
}

void races_close(void) {
  locations_close();
  shadow_close();
  known_close();
  pending.is_open = false;
}

// ---------------------------------------------------------------- report ---

static void fill_thread(uint32_t id[3], uint64_t index,
                        const uint32_t size[3]) {
  id[0] = (uint32_t)(index % size[0]);
  id[1] = (uint32_t)(index / size[0] % size[1]);
  id[2] = (uint32_t)(index / size[0] / size[1]);
}

static Actor own_actor(const RaceAccess *access) {
  Actor actor = machine_actor(machine.self);
  actor.array = access->region->array;
  actor.offset = access->offset;
  actor.bytes = access->bytes;
  return actor;
}

static Incident race_incident(const Cell *cell, unsigned lane,
                              const RaceAccess *access) {
  Incident incident = {.kind = INCIDENT_RACE, .count = 2};
  Actor *other = &incident.actors[1];
  Point point = cell->first;
  point.thread += lane;
  incident.actors[0] = *other = own_actor(access);
  fill_thread(other->thread, point.thread, machine.run->block);
  fill_thread(other->block, point.block, machine.run->grid);
  other->site = cell->site;
  other->offset = cell->offset;
  other->bytes = cell->bytes;
  if (point_is_heard_of(&point))
    snprintf(
        incident.text, sizeof incident.text,
        "the writing side is ordered by a fence and an atomic, the reading "
        "side has no fence");
  return incident;
}

static bool is_atomic(uint32_t site) {
  return machine.run->code->sites.at[site].kind == SITE_ATOMIC;
}

static void report(const Cell *cell, uint32_t lanes, const RaceAccess *access) {
  Incident incident =
      race_incident(cell, (unsigned)__builtin_ctz(lanes), access);
  bool may_be_same = cell->writes && access->writes && !is_atomic(cell->site) &&
                     !is_atomic(access->number) &&
                     access->bytes <= sizeof pending.old;
  if (!may_be_same || !machine.run->tolerates_same_value) {
    machine_note(&incident);
    return;
  }
  pending = (Pending){.is_open = true,
                      .incident = incident,
                      .at = access->region->at + access->offset,
                      .bytes = access->bytes};
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

// One word of an access.
typedef struct Visit {
  const RaceAccess *access;
  Word *word;
  uint8_t mask;
  Point here;
  uint32_t lane; // of the running thread, as a mask
  bool is_first; // word of the access
  bool is_whole; // one write is there, or none, in all words of a strong access
  Location *location;
  bool observes; // a strong write that is there, of another thread
  bool *has_raced;
} Visit;

static Scope scope_of(const Cell *cell) {
  return machine.run->code->sites.at[cell->site].scope;
}

static bool is_same_warp(const Visit *visit, const Cell *cell) {
  return cell->first.block == visit->here.block &&
         cell->first.thread / LANES == visit->here.thread / LANES;
}

// Both strong, of the same bytes, for scopes with both threads in them.  Lanes
// of a warp count as one another's: SCOPE_THREAD is no scope of an access.
static bool are_morally_strong(const Visit *visit, const Cell *cell) {
  const RaceAccess *access = visit->access;
  return cell->is_strong && access->is_strong &&
         cell->offset == access->offset && cell->bytes == access->bytes &&
         is_in_scope(scope_of(cell), &cell->first, &visit->here) &&
         is_in_scope(access->scope, &cell->first, &visit->here);
}

static uint32_t lanes_behind(const Visit *visit, const Cell *cell) {
  uint32_t before = lanes_before(&cell->first, cell->lanes);
  if (before != cell->lanes && cell->is_strong && cell->writes &&
      visit->word->locations) {
    RaceAccess same = {.offset = cell->offset, .bytes = cell->bytes};
    const Location *location = location_find(visit->word->locations, &same);
    if (location && location_has_seen(location, cell->position))
      return cell->lanes;
  }
  return before;
}

// Whatever is behind the access and not behind the cell races with both.
static bool is_as_exposed(const Visit *visit, const Cell *cell) {
  const RaceAccess *access = visit->access;
  if ((cell->writes && !access->writes) || (cell->mask & ~visit->mask))
    return false;
  if (!access->is_strong)
    return true;
  if (!cell->is_strong || cell->offset != access->offset ||
      cell->bytes != access->bytes || scope_of(cell) < access->scope ||
      (access->writes && !cell->writes)) // to see the write is not enough
    return false;
  return !traits.has_narrow_scope || is_same_warp(visit, cell) ||
         (access->scope >= SCOPE_BLOCK &&
          cell->first.block == visit->here.block);
}

// A read-modify-write sees the write of the cell, or one that has seen it: who
// is behind the one is behind the other.
static bool is_carried_on(const Visit *visit, const Cell *cell) {
  return visit->observes && visit->access->reads && visit->access->writes &&
         cell->is_strong && cell->writes &&
         cell->offset == visit->access->offset &&
         cell->bytes == visit->access->bytes;
}

// What is left of the cell: the access takes the place of the rest.
static uint32_t lanes_left(const Visit *visit, const Cell *cell) {
  bool conflicts = (cell->writes || visit->access->writes) &&
                   (cell->mask & visit->mask) && !*visit->has_raced &&
                   !are_morally_strong(visit, cell);
  bool is_exposed = is_as_exposed(visit, cell);
  if (!conflicts && !is_exposed)
    return cell->lanes;
  uint32_t before = lanes_behind(visit, cell);
  if (conflicts && before != cell->lanes) {
    report(cell, cell->lanes & ~before, visit->access);
    *visit->has_raced = true;
  }
  if (!is_exposed)
    return cell->lanes;
  return is_carried_on(visit, cell) ? 0 : cell->lanes & ~before;
}

// --------------------------------------------------------------- enough ---

static bool is_current(const Cell *cell) {
  const Group *group = machine.self->group;
  return cell->first.epoch == machine.grid_epoch &&
         cell->first.block == group->index &&
         cell->first.interval == group->interval;
}

static bool are_enough(const Cell *a, const Cell *b) {
  if (a->first.epoch != machine.grid_epoch ||
      b->first.epoch != machine.grid_epoch)
    return false;
  if (a->first.block != b->first.block)
    return true;
  return is_current(a) && is_current(b) && a->first.thread != b->first.thread;
}

static bool is_enough_alone(const Cell *cell) {
  return !machine.run->code->has_warp_sync && is_current(cell) &&
         (cell->lanes & (cell->lanes - 1));
}

// Strong writes come before what has seen them: all of them are kept.
static bool is_alike(const Visit *visit, const Cell *cell) {
  const RaceAccess *access = visit->access;
  return !traits.has_order && cell->writes == access->writes &&
         cell->is_strong == access->is_strong &&
         (cell->mask & visit->mask) == visit->mask &&
         (!cell->is_strong ||
          (!cell->writes && cell->offset == access->offset &&
           cell->bytes == access->bytes && scope_of(cell) <= access->scope));
}

// ----------------------------------------------------------------- visit ---

// Cells of the access's own kind may show that it need not be kept.
static bool sweep(Cell **list, const Visit *visit, unsigned most) {
  const Cell *alike = NULL;
  bool is_enough = false;
  Cell **at = list;
  for (Cell *cell; (cell = *at) && most > 0; most--) {
    cell->lanes = lanes_left(visit, cell);
    if (!cell->lanes) {
      *at = cell->next;
      cell_give(cell);
      continue;
    }
    if (is_alike(visit, cell)) {
      is_enough |= is_enough_alone(cell) || (alike && are_enough(alike, cell));
      alike = alike ? alike : cell;
    }
    at = &cell->next;
  }
  return is_enough;
}

// The same warp has done the same just now.
static bool is_same(const Visit *visit, const Cell *cell) {
  const Point *first = &cell->first, *here = &visit->here;
  const RaceAccess *access = visit->access;
  return cell->site == access->number && cell->offset == access->offset &&
         first->block == here->block && first->tick == here->tick &&
         first->interval == here->interval && first->epoch == here->epoch &&
         first->thread == (here->thread & ~(uint32_t)(LANES - 1)) &&
         cell->bytes == access->bytes && cell->mask == visit->mask &&
         cell->writes == access->writes;
}

static void remember(Cell **list, const Visit *visit) {
  const RaceAccess *access = visit->access;
  bool is_strong_write = access->is_strong && access->writes;
  if (*list && !is_strong_write && is_same(visit, *list)) {
    (*list)->lanes |= visit->lane;
    return;
  }
  Cell *cell = cell_take();
  *cell = (Cell){.next = *list,
                 .offset = access->offset,
                 .first = visit->here,
                 .lanes = visit->lane,
                 .site = access->number,
                 .bytes = (uint32_t)access->bytes,
                 .mask = visit->mask,
                 .writes = access->writes,
                 .is_strong = access->is_strong};
  cell->first.thread &= ~(uint32_t)(LANES - 1);
  if (is_strong_write)
    cell->position = location_position(visit->location) + 1;
  *list = cell;
}

// Who has seen which writes matters as long as one of them is kept.
static void forget_seen(const Visit *visit) {
  uint32_t oldest = location_position(visit->location);
  for (const Cell *cell = visit->word->writes; cell; cell = cell->next)
    if (cell->is_strong && cell->offset == visit->access->offset &&
        cell->bytes == visit->access->bytes && cell->position < oldest)
      oldest = cell->position;
  location_forget(visit->location, oldest);
}

// Before the others are told of the access: what it comes to know.
static void find_location(Visit *visit) {
  const RaceAccess *access = visit->access;
  if (!access->is_strong)
    return;
  visit->location = location_make(&visit->word->locations, access);
  visit->observes = access->reads && visit->is_whole &&
                    location_is_observed(visit->location, access);
  if (visit->is_first && access->acquires)
    location_acquire(visit->location, access, visit->is_whole);
}

static void tell_location(const Visit *visit) {
  const RaceAccess *access = visit->access;
  if (access->writes && visit->word->locations)
    locations_overwrite(visit->word->locations, access,
                        visit->is_whole ? visit->location : NULL);
  if (!access->is_strong)
    return;
  if (access->reads && visit->is_whole)
    location_read(visit->location, access, visit->is_first);
  if (!access->writes)
    return;
  location_write(visit->location, access, visit->is_first);
  forget_seen(visit);
}

// Since then nobody can have come behind it but not behind this.  A strong
// write in between would stand before the cell.
static bool is_known(const Visit *visit, const Cell *cell) {
  const RaceAccess *access = visit->access;
  return cell && (cell->lanes & visit->lane) && !access->is_strong &&
         is_same(visit, cell);
}

static void visit_word(Visit *visit) {
  const RaceAccess *access = visit->access;
  Word *word = visit->word;
  Cell **own = access->writes ? &word->writes : &word->reads;
  bool is_enough = false;
  if (is_known(visit, *own))
    return;
  find_location(visit);
  if (word->writes)
    is_enough = sweep(&word->writes, visit, UINT32_MAX) && access->writes;
  if (access->writes && word->reads)
    sweep(&word->reads, visit, UINT32_MAX);
  if (!access->writes && word->reads && !is_same(visit, word->reads))
    is_enough = sweep(&word->reads, visit,
                      is_current(word->reads) ? LOOK_BACK_A_LITTLE : LOOK_BACK);
  if (!is_enough)
    remember(own, visit);
  tell_location(visit);
}

// The bytes of the access in this word.
static uint8_t mask_of(const RaceAccess *access, int64_t start) {
  int64_t from = access->offset - start;
  int64_t to = access->offset + (int64_t)access->bytes - start;
  unsigned low = from > 0 ? (unsigned)from : 0;
  unsigned high = to < WORD_BYTES ? (unsigned)to : WORD_BYTES;
  return (uint8_t)((1u << high) - (1u << low));
}

// Else a read sees parts of several writes, and counts as seeing none.
static bool is_whole(const RaceAccess *access) {
  int64_t at = access->offset & -WORD_BYTES;
  unsigned words = 0, current = 0;
  for (; at < access->offset + (int64_t)access->bytes; at += WORD_BYTES) {
    const Word *word = shadow_word(access->region, at / WORD_BYTES);
    const Location *location = location_find(word->locations, access);
    current += location && location_is_current(location, access);
    words++;
  }
  return !current || current == words;
}

static void visit_words(const RaceAccess *access) {
  bool has_raced = false;
  int64_t at = access->offset & -WORD_BYTES;
  Visit visit = {.access = access,
                 .here = point_here(),
                 .is_first = true,
                 .is_whole = !access->is_strong ||
                             access->bytes <= WORD_BYTES || is_whole(access),
                 .has_raced = &has_raced};
  visit.lane = UINT32_C(1) << visit.here.thread % LANES;
  for (; at < access->offset + (int64_t)access->bytes; at += WORD_BYTES) {
    visit.word = shadow_word(access->region, at / WORD_BYTES);
    visit.mask = mask_of(access, at);
    visit_word(&visit);
    visit.is_first = false;
  }
}

// ---------------------------------------------------------------- access ---

// A compare-and-swap that fails is a read.
static void make_atomic(RaceAccess *access) {
  const Site *site = access->site;
  bool fails = machine.self->misses == access->region->at + access->offset;
  machine.self->misses = NULL;
  access->is_strong = true;
  access->reads = !site->is_store;
  access->writes = !site->is_load && !fails;
  access->acquires = fails ? site->acquires_if_it_fails : site->acquires;
}

void races_expect(const void *at, uint64_t bytes, uint64_t expected) {
  machine.self->misses = memcmp(at, &expected, bytes) != 0 ? at : NULL;
}

void races_check(Region *region, int64_t offset, uint64_t bytes,
                 uint32_t number, SiteKind kind) {
  const Site *site = &machine.run->code->sites.at[number];
  RaceAccess access = {.region = region,
                       .offset = offset,
                       .bytes = bytes,
                       .number = number,
                       .site = site,
                       .scope = site->scope,
                       .reads = kind == SITE_READ,
                       .writes = kind == SITE_WRITE,
                       .is_strong = site->is_volatile};
  if (region->space == SPACE_CONSTANT)
    return;
  if (kind == SITE_ATOMIC)
    make_atomic(&access);
  visit_words(&access);
}
