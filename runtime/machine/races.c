// The races of one run, exactly.
//
// Two accesses race if they are of different threads, have a byte in common,
// one of them writes, neither comes before the other (causality.c), and they
// are not both strong: atomic, or in CUDA volatile, of the same bytes and each
// for a scope that has the other thread in it.
//
// For each word we keep the accesses that a later one could still race with
// (shadow.c; what is common is done in spots.c).  An access is dropped when a
// later one, which it comes before, would race with everything it could race
// with.  In kernels whose fences and atomics order nothing, two weak accesses
// of one kind that are unordered are enough, by different blocks, or by
// different warps of a block in one interval: whatever comes after both comes
// after any third one.  Without __syncwarp two threads will do in place of two
// warps.
//
// Two plain writes are excused if the second one writes what it finds in the
// bytes that both write.  That is known once it is made, so the report of the
// race waits until then.  An excuse is for that pair alone: the access is
// compared with all others, and a write that may be excused does not replace an
// earlier read or atomic of its thread, which may not.

#include "runtime/machine/races.h"
#include "runtime/machine/twice.h"

#include <assert.h>
#include <string.h>

// How far a read looks for reads that it takes the place of: where the list is
// new in this interval, and where it is not.
enum { LOOK_BACK = 64, LOOK_BACK_A_LITTLE = 8 };

enum { WIDEST_EXCUSED = 16 };

// A race unless the write of the running thread changes nothing of these bytes.
typedef struct Excuse {
  Incident incident;
  uint32_t bytes; // of the write, as a mask
} Excuse;

// Of one write, none twice for a byte.
typedef struct Pending {
  unsigned count;
  uint32_t covered; // bytes of all of them
  char *at;
  uint64_t bytes;
  char old[WIDEST_EXCUSED];
  Excuse excuses[WIDEST_EXCUSED];
} Pending;

static Pending pending;

void races_forget(Group *group) {
  shadow_forget(group);
  for (unsigned i = 0; traits.has_order && i < machine.threads; i++)
    if (group->threads[i].order)
      causality_forget(&group->threads[i]);
}

void races_forget_bytes(const char *at, uint64_t bytes) {
  Region *region = region_find(at);
  pending.count = 0;
  region = region ? region : region_find(at + bytes - 1);
  if (twice_execution())
    writers_renew(at, bytes);
  else if (region)
    shadow_forget_bytes(region, at - region->at, bytes);
}

void races_close_group(Group *group) {
  for (unsigned i = 0; group->threads && i < machine.threads; i++)
    causality_forget(&group->threads[i]);
  shadow_close_group(group);
}

void races_close(void) {
  locations_close();
  spots_close();
  shadow_close();
  if (!twice_execution()) // writers.c keeps what was known
    known_close();
  pending.count = 0;
}

// ---------------------------------------------------------------- report ---

static Actor own_actor(const RaceAccess *access) {
  Actor actor = machine_actor(machine.self);
  actor.array = access->region->array;
  actor.offset = access->offset;
  actor.bytes = access->bytes;
  return actor;
}

Incident races_incident(const Point *point, const Deed *deed, int64_t offset,
                        const RaceAccess *access) {
  Incident incident = {.kind = INCIDENT_RACE, .count = 2};
  Actor *other = &incident.actors[1];
  incident.actors[0] = *other = own_actor(access);
  grid_place(point_is_copy(point) ? copy_thread(point) : point->thread,
             machine.run->block, other->thread);
  grid_place(point->block & ~copy_block(0), machine.run->grid, other->block);
  other->site = deed->site;
  other->offset = offset;
  other->bytes = deed->bytes;
  if (machine.owner)
    snprintf(incident.text, sizeof incident.text,
             "it is in the shared memory of block (%u,%u,%u)",
             machine.owner->id[0], machine.owner->id[1], machine.owner->id[2]);
  else if (point_is_init(point))
    snprintf(incident.text, sizeof incident.text,
             "no barrier, and no fence for mbarriers, is behind it");
  else if (machine.self->is_copy || point_is_copy(point))
    snprintf(incident.text, sizeof incident.text,
             "the copy is asynchronous, and has not been waited for");
  else if (point_is_heard_of(point))
    snprintf(
        incident.text, sizeof incident.text,
        "the writing side is ordered by a fence and an atomic, the reading "
        "side has no fence");
  return incident;
}

static char *place_of(const RaceAccess *access) {
  return clusters_place(access->region->at + access->offset);
}

static bool is_plain(uint32_t number) {
  const Site *site = &machine.run->code->sites.at[number];
  return (site->kind == SITE_WRITE || site->kind == SITE_FILL) &&
         !site->is_free && !site->is_volatile;
}

// A write whose race with another such write can be excused.
static bool is_plain_access(const RaceAccess *access) {
  return is_plain(access->number) && !machine.self->is_copy;
}

static bool is_plain_deed(const Deed *deed) {
  return is_plain(deed->site) && !point_is_copy(&deed->first);
}

bool races_can_excuse(const Point *point, uint32_t site,
                      const RaceAccess *access) {
  return machine.run->tolerates_same_value && access->bytes <= WIDEST_EXCUSED &&
         is_plain_access(access) && is_plain(site) && !point_is_copy(point);
}

static bool can_excuse(const Deed *deed, const RaceAccess *access) {
  return races_can_excuse(&deed->first, deed->site, access);
}

// While anything is pending each access has to be looked at.
void races_excuse(const Incident *incident, uint32_t bytes,
                  const RaceAccess *access) {
  if (!pending.count) {
    pending.covered = 0;
    pending.at = place_of(access);
    pending.bytes = access->bytes;
    memcpy(pending.old, pending.at, pending.bytes);
    spots_bar(true);
  }
  assert(pending.at == place_of(access));
  pending.covered |= bytes;
  pending.excuses[pending.count++] = (Excuse){*incident, bytes};
}

bool races_is_excused(uint32_t bytes) {
  return pending.count && !(bytes & ~pending.covered);
}

static bool has_changed(uint32_t bytes) {
  for (unsigned i = 0; i < pending.bytes; i++)
    if (bytes >> i & 1 && pending.old[i] != pending.at[i])
      return true;
  return false;
}

void races_settle(void) {
  bool is_told = false;
  if (!pending.count)
    return;
  for (unsigned i = 0; i < pending.count && !is_told; i++) {
    is_told = has_changed(pending.excuses[i].bytes);
    if (is_told)
      machine_note(&pending.excuses[i].incident);
  }
  pending.count = 0;
  spots_bar(false);
}

// ----------------------------------------------------------------- check ---

// One word of an access.
typedef struct Visit {
  const RaceAccess *access;
  Word *word;
  int64_t start; // of the word
  uint8_t mask;
  Point here;
  uint32_t lane; // of the running thread, as a mask
  bool is_first; // word of the access
  bool is_whole; // one write is there, or none, in all words of a strong access
  Location *location;
  bool observes; // a strong write that is there, of another thread
  bool is_plain; // a write that may be excused from a race
  bool *has_raced;
  Deed **deed; // of the access, if its spot keeps none like it
} Visit;

// The bytes of an access in the word that starts there.
static uint8_t mask_of(int64_t offset, uint64_t bytes, int64_t start) {
  int64_t from = offset - start, to = from + (int64_t)bytes;
  unsigned low = from > 0 ? (unsigned)from : 0;
  unsigned high = to < WORD_BYTES ? (unsigned)to : WORD_BYTES;
  return (uint8_t)((1u << high) - (1u << low));
}

static int64_t offset_of(const Visit *visit, const Cell *cell) {
  return deed_offset(cell->deed, visit->start);
}

static uint8_t cell_mask(const Visit *visit, const Cell *cell) {
  return mask_of(offset_of(visit, cell), cell->deed->bytes, visit->start);
}

static bool has_same_bytes(const Visit *visit, const Cell *cell) {
  return cell->deed->bytes == visit->access->bytes &&
         offset_of(visit, cell) == visit->access->offset;
}

static Scope scope_of(const Cell *cell) {
  return machine.run->code->sites.at[cell->deed->site].scope;
}

static bool is_same_warp(const Visit *visit, const Cell *cell) {
  return cell->deed->first.block == visit->here.block &&
         cell->deed->first.thread / LANES == visit->here.thread / LANES;
}

// Both strong, of the same bytes, for scopes with both threads in them.  Lanes
// of a warp count as one another's: SCOPE_THREAD is no scope of an access.
static bool are_morally_strong(const Visit *visit, const Cell *cell) {
  const RaceAccess *access = visit->access;
  const Point *first = &cell->deed->first;
  return cell->deed->is_strong && access->is_strong &&
         has_same_bytes(visit, cell) &&
         is_in_scope(scope_of(cell), first, &visit->here) &&
         is_in_scope(access->scope, first, &visit->here);
}

static uint32_t lanes_behind(const Visit *visit, const Cell *cell) {
  const Deed *deed = cell->deed;
  uint32_t before = lanes_before(&deed->first, cell->lanes);
  if (before != cell->lanes && deed->is_strong && deed->writes &&
      visit->word->locations) {
    RaceAccess same = {.offset = offset_of(visit, cell), .bytes = deed->bytes};
    const Location *location = location_find(visit->word->locations, &same);
    if (location && location_has_seen(location, cell->position))
      return cell->lanes;
  }
  return before;
}

// Whoever may still access the word is behind it.
static bool is_over(const Visit *visit, const Cell *cell) {
  const Point *first = &cell->deed->first;
  bool is_of_block =
      machine.total == 1 ||
      (visit->access->region->space == SPACE_SHARED && machine.cluster == 1);
  if (point_is_copy(first))
    return false;
  return first->epoch != machine.grid_epoch ||
         (is_of_block && first->interval != visit->here.interval);
}

// What races with the cell may be excused from its race with the access.
static bool would_hide(const Visit *visit, const Cell *cell) {
  return visit->is_plain && !is_plain_deed(cell->deed) && !is_over(visit, cell);
}

// Whatever is behind the access and not behind the cell races with both.
static bool is_as_exposed(const Visit *visit, const Cell *cell) {
  const RaceAccess *access = visit->access;
  const Deed *deed = cell->deed;
  if ((deed->writes && !access->writes) ||
      (cell_mask(visit, cell) & ~visit->mask) || would_hide(visit, cell))
    return false;
  if (!access->is_strong)
    return true;
  if (!deed->is_strong || !has_same_bytes(visit, cell) ||
      scope_of(cell) < access->scope ||
      (access->writes && !deed->writes)) // to see the write is not enough
    return false;
  return !traits.has_narrow_scope || is_same_warp(visit, cell) ||
         (access->scope >= SCOPE_BLOCK &&
          deed->first.block == visit->here.block);
}

// A read-modify-write sees the write of the cell, or one that has seen it: who
// is behind the one is behind the other.
static bool is_carried_on(const Visit *visit, const Cell *cell) {
  return visit->observes && visit->access->reads && visit->access->writes &&
         cell->deed->is_strong && cell->deed->writes &&
         has_same_bytes(visit, cell);
}

// The bytes of the access that both access, as a mask.
static uint32_t common_bytes(const Visit *visit, const Cell *cell) {
  uint32_t common = cell_mask(visit, cell) & visit->mask;
  int64_t ahead = visit->start - visit->access->offset;
  return ahead < 0 ? common >> -ahead : common << ahead;
}

static void report(const Visit *visit, const Cell *cell, uint32_t lanes) {
  const RaceAccess *access = visit->access;
  Point point = cell->deed->first;
  point.thread += (unsigned)__builtin_ctz(lanes);
  Incident incident =
      races_incident(&point, cell->deed, offset_of(visit, cell), access);
  if (can_excuse(cell->deed, access)) {
    races_excuse(&incident, common_bytes(visit, cell), access);
    return;
  }
  machine_note(&incident);
  *visit->has_raced = true;
}

static bool is_pending(const Visit *visit, const Cell *cell) {
  return can_excuse(cell->deed, visit->access) &&
         races_is_excused(common_bytes(visit, cell));
}

// One race of an access is told, or for each byte one that may be excused.
static bool may_race(const Visit *visit, const Cell *cell) {
  return (cell->deed->writes || visit->access->writes) &&
         (cell_mask(visit, cell) & visit->mask) && !*visit->has_raced &&
         !are_morally_strong(visit, cell) && !is_pending(visit, cell);
}

// What is left of the cell: the access takes the place of the rest.
static uint32_t lanes_left(const Visit *visit, const Cell *cell) {
  bool conflicts = may_race(visit, cell);
  bool is_exposed = is_as_exposed(visit, cell);
  if (!conflicts && !is_exposed)
    return cell->lanes;
  uint32_t before = lanes_behind(visit, cell);
  if (conflicts && before != cell->lanes)
    report(visit, cell, cell->lanes & ~before);
  if (!is_exposed)
    return cell->lanes;
  return is_carried_on(visit, cell) ? 0 : cell->lanes & ~before;
}

// --------------------------------------------------------------- enough ---

static bool is_current(const Cell *cell) {
  return cell->deed->moment == machine.self->group->moment;
}

static bool are_enough(const Cell *a, const Cell *b) {
  const Point *first = &a->deed->first, *other = &b->deed->first;
  if (first->epoch != machine.grid_epoch || other->epoch != machine.grid_epoch)
    return false;
  if (first->block != other->block)
    return true;
  return is_current(a) && is_current(b) && first->thread != other->thread;
}

static bool is_enough_alone(const Cell *cell) {
  return !machine.run->code->has_warp_sync && is_current(cell) &&
         (cell->lanes & (cell->lanes - 1));
}

// Strong writes come before what has seen them: all of them are kept.
static bool is_alike(const Visit *visit, const Cell *cell) {
  const RaceAccess *access = visit->access;
  const Deed *deed = cell->deed;
  return !traits.has_order && deed->writes == access->writes &&
         deed->is_strong == access->is_strong &&
         (cell_mask(visit, cell) & visit->mask) == visit->mask &&
         (!deed->is_strong || (!deed->writes && has_same_bytes(visit, cell) &&
                               scope_of(cell) <= access->scope));
}

// Is every write of the word behind a barrier?  Of the grid, or of the block.
static bool is_settled(const Word *word, bool *by_block) {
  for (const Cell *cell = word->writes; cell; cell = cell->next) {
    if (cell->deed->first.epoch == machine.grid_epoch) {
      if (cell->deed->first.block != machine.self->group->index ||
          is_current(cell))
        return false;
      *by_block = true;
    }
  }
  return true;
}

// After a weak read of the whole word: will others change nothing?
static void note_enough(const Visit *visit) {
  Word *word = visit->word;
  const Cell *alike = NULL;
  bool by_block = false;
  unsigned most = LOOK_BACK_A_LITTLE;
  if (traits.has_order || visit->access->writes || visit->access->is_strong ||
      visit->mask != (1 << WORD_BYTES) - 1 || !is_settled(word, &by_block))
    return;
  for (const Cell *cell = word->reads; cell && most > 0;
       cell = cell->next, most--) {
    if (!is_alike(visit, cell))
      continue;
    if (alike && are_enough(alike, cell)) {
      by_block |= alike->deed->first.block == cell->deed->first.block;
      word->enough = by_block ? machine.self->group->moment : machine.era;
      return;
    }
    if (is_enough_alone(cell))
      word->enough = machine.self->group->moment;
    alike = alike ? alike : cell;
  }
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
  const Deed *deed = cell->deed;
  const Point *here = &visit->here;
  return deed->site == visit->access->number && is_current(cell) &&
         deed->first.tick == here->tick &&
         deed->first.thread == (here->thread & ~(uint32_t)(LANES - 1)) &&
         deed->writes == visit->access->writes && has_same_bytes(visit, cell);
}

static Deed *own_deed(const Visit *visit) {
  const RaceAccess *access = visit->access;
  Deed what = {.bytes = access->bytes,
               .offset = access->offset,
               .start = START_FIXED,
               .site = access->number,
               .writes = access->writes,
               .is_strong = access->is_strong};
  Deed **kept = spot_deed(access->number, access->offset, access->bytes);
  if (!kept)
    return deed_here(visit->deed, &what);
  what.offset &= WORD_BYTES - 1;
  what.start = access->bytes < WORD_BYTES ? START_WITHIN : START_ALIGNED;
  return deed_here(kept, &what);
}

static void remember(Cell **list, const Visit *visit) {
  const RaceAccess *access = visit->access;
  bool is_strong_write = access->is_strong && access->writes;
  if (*list && !is_strong_write && is_same(visit, *list)) {
    (*list)->lanes |= visit->lane;
    return;
  }
  cell_add(list, own_deed(visit), visit->lane);
  if (is_strong_write)
    (*list)->position = location_position(visit->location) + 1;
}

// Who has seen which writes matters as long as one of them is kept.
static void forget_seen(const Visit *visit) {
  uint32_t oldest = location_position(visit->location);
  for (const Cell *cell = visit->word->writes; cell; cell = cell->next)
    if (cell->deed->is_strong && has_same_bytes(visit, cell) &&
        cell->position < oldest)
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
// write in between would stand before the cell.  What was excused before may
// not be so now.
static bool is_known(const Visit *visit, const Cell *cell) {
  const RaceAccess *access = visit->access;
  if (!cell || !(cell->lanes & visit->lane) || access->is_strong ||
      !is_same(visit, cell))
    return false;
  return !visit->is_plain || (!cell->next && cell->lanes == visit->lane);
}

static void visit_word(Visit *visit) {
  const RaceAccess *access = visit->access;
  Word *word = visit->word;
  Cell **own = access->writes ? &word->writes : &word->reads;
  bool is_enough = false;
  if (is_known(visit, *own))
    return;
  if (access->writes)
    word->enough = 0;
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
  note_enough(visit);
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
  Deed *deed = NULL;
  int64_t at = access->offset & -WORD_BYTES;
  Visit visit = {.access = access,
                 .here = point_here(),
                 .is_first = true,
                 .is_whole = !access->is_strong ||
                             access->bytes <= WORD_BYTES || is_whole(access),
                 .is_plain = machine.run->tolerates_same_value &&
                             is_plain_access(access),
                 .has_raced = &has_raced,
                 .deed = &deed};
  visit.lane = UINT32_C(1) << visit.here.thread % LANES;
  for (; at < access->offset + (int64_t)access->bytes; at += WORD_BYTES) {
    visit.word = shadow_word(access->region, at / WORD_BYTES);
    visit.start = at;
    visit.mask = mask_of(access->offset, access->bytes, at);
    visit_word(&visit);
    visit.is_first = false;
  }
  deed_drop(deed);
}

// ---------------------------------------------------------------- access ---

// A compare-and-swap that fails is a read.
static void make_atomic(RaceAccess *access) {
  const Site *site = access->site;
  bool fails = machine.self->misses == place_of(access);
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
  if (twice_execution())
    writers_visit(&access);
  else
    visit_words(&access);
}
