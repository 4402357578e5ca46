// Who has written each byte, in a launch that is executed twice in one order
// (twice.c).
//
// The first execution keeps its writes, for each word of four bytes as they
// come, and where their threads stood: what they had done and what they knew
// (causality.c).  A write is held against those before it.  The second one
// keeps nothing.  Its reads are held against all writes of the first one: those
// that have come again by then must come before the read, and the read before
// those that are still to come, by what their threads knew there.  Accesses
// that are both strong, of the same bytes and for scopes with both threads in
// them, do not race.
//
// Most words are written by one thread after another, in an order that all
// know.  A write that comes behind all earlier ones of its word is marked, and
// who comes behind such a write, or before it if all are marked, need not look
// further.
//
// Of shared memory only the writes since the last barrier count where nothing
// is asynchronous, so each interval has words of its own.

#include "runtime/machine/twice.h"

#include <stdlib.h>
#include <string.h>

typedef struct Stance {
  Point point;
  Known *known;
  uint32_t clock[LANES]; // what it had seen of its warp, where that matters
} Stance;

typedef struct Written {
  struct Written *older, *newer;
  const Stance *by;
  int64_t offset;
  uint64_t bytes;
  uint32_t site, position; // in its location, of a strong one
  uint32_t age;
  bool is_strong, follows_all; // the earlier ones
} Written;

// A word, of global memory or of a block's own, in some interval.
typedef struct Key {
  const char *at;
  uint64_t owner; // 1 + the block
  uint32_t interval;
} Key;

typedef struct Cellar {
  Key key;
  Written *oldest, *newest;
  Written *last; // that the second execution has come to
  Location *locations;
  uint32_t age;    // how often the word has become another one
  bool in_order;   // each write follows all earlier ones
  bool is_strong;  // all are, of the same bytes
  Scope scope;     // ... and the narrowest that one is for
  bool has_blocks; // that have written; else one has
} Cellar;

static Pool written = {.bytes = sizeof(Written)};
static Pool cellars = {.bytes = sizeof(Cellar)};
static Pool stances;

static struct {
  Cellar **at; // a hash table
  size_t room, count;
} table;

// ------------------------------------------------------------------- words ---

static Key key_of(const Region *region, int64_t start) {
  const Group *owner = machine.owner ? machine.owner : machine.self->group;
  bool is_shared = region->space == SPACE_SHARED;
  bool is_apart = !machine.run->code->has_arrivals && machine.cluster == 1;
  return (Key){.at = region->at + start,
               .owner = is_shared ? owner->index + 1 : 0,
               .interval = !is_apart   ? 0
                           : is_shared ? owner->interval
                                       : machine.grid_epoch};
}

static size_t slot_of(const Key *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key->at / WORD_BYTES;
  hash = (hash ^ key->owner << 34 ^ (uint64_t)key->interval << 48) *
         UINT64_C(0xff51afd7ed558ccd);
  return (size_t)(hash >> 20) & (table.room - 1);
}

static bool is_same_key(const Key *a, const Key *b) {
  return a->at == b->at && a->owner == b->owner && a->interval == b->interval;
}

static Cellar *find(const Key *key) {
  for (size_t slot = table.room ? slot_of(key) : 0;
       table.room && table.at[slot]; slot = (slot + 1) & (table.room - 1))
    if (is_same_key(&table.at[slot]->key, key))
      return table.at[slot];
  return NULL;
}

static void put(Cellar *cellar) {
  size_t slot = slot_of(&cellar->key);
  while (table.at[slot])
    slot = (slot + 1) & (table.room - 1);
  table.at[slot] = cellar;
}

static void grow(void) {
  enum { FIRST = 1 << 12 };
  Cellar **old = table.at;
  size_t room = table.room;
  Cellar **made = calloc(room ? 2 * room : FIRST, sizeof *made);
  if (!made)
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  table.at = made;
  table.room = room ? 2 * room : FIRST;
  for (size_t i = 0; i < room; i++)
    if (old[i])
      put(old[i]);
  free(old);
}

static Cellar *find_or_make(const Key *key) {
  Cellar *found = find(key);
  if (found)
    return found;
  if (2 * table.count >= table.room)
    grow();
  Cellar *made = pool_take(&cellars);
  *made = (Cellar){
      .key = *key, .in_order = true, .is_strong = true, .scope = SCOPE_SYSTEM};
  put(made);
  table.count++;
  return made;
}

// ----------------------------------------------------------------- stances ---

static bool is_same_point(const Point *a, const Point *b) {
  return a->block == b->block && a->thread == b->thread &&
         a->interval == b->interval && a->epoch == b->epoch &&
         a->tick == b->tick;
}

static bool stands(const Stance *stance, const Point *here, const Known *known,
                   const Thread *self) {
  return stance && is_same_point(&stance->point, here) &&
         stance->known == known &&
         (!machine.run->code->has_warp_sync ||
          !memcmp(stance->clock, self->clock, sizeof stance->clock));
}

static const Stance *stance_here(void) {
  Thread *self = machine.self;
  Point here = point_here();
  Known *known = causality_known(self);
  bool has_clock = machine.run->code->has_warp_sync;
  if (stands(self->stance, &here, known, self))
    return self->stance;
  stances.bytes = has_clock ? sizeof(Stance) : offsetof(Stance, clock);
  Stance *made = pool_take(&stances);
  made->point = here;
  made->known = known_hold(known);
  if (has_clock)
    memcpy(made->clock, self->clock, sizeof made->clock);
  return self->stance = made;
}

// ------------------------------------------------------------------ visits ---

typedef struct Visit {
  const RaceAccess *access;
  Cellar *cellar;
  Point here;
  bool is_first; // word of the access
  bool is_whole; // of a strong access: one write is there in all words, or none
  bool has_raced;
} Visit;

// Copies of one thread are not ordered, but by who waits for them.
static bool is_of_thread(const Visit *visit, const Written *other) {
  return !point_is_copy(&visit->here) &&
         other->by->point.block == visit->here.block &&
         other->by->point.thread == visit->here.thread;
}

static bool is_of_unit(const Visit *visit, const Written *other) {
  return is_of_thread(visit, other) ||
         (!point_is_copy(&visit->here) && machine.run->code->has_warp_units &&
          other->by->point.block == visit->here.block &&
          other->by->point.thread / LANES == visit->here.thread / LANES);
}

static bool has_same_bytes(const Visit *visit, const Written *other) {
  return other->offset == visit->access->offset &&
         other->bytes == visit->access->bytes;
}

static bool have_common_bytes(const Visit *visit, const Written *other) {
  const RaceAccess *access = visit->access;
  return other->offset < access->offset + (int64_t)access->bytes &&
         access->offset < other->offset + (int64_t)other->bytes;
}

static Scope scope_of(const Written *other) {
  return machine.run->code->sites.at[other->site].scope;
}

static bool are_morally_strong(const Visit *visit, const Written *other) {
  const RaceAccess *access = visit->access;
  const Point *point = &other->by->point;
  return other->is_strong && access->is_strong &&
         has_same_bytes(visit, other) &&
         is_in_scope(scope_of(other), point, &visit->here) &&
         is_in_scope(access->scope, point, &visit->here);
}

static bool conflict(const Visit *visit, const Written *other) {
  return have_common_bytes(visit, other) && !is_of_unit(visit, other) &&
         !are_morally_strong(visit, other);
}

// By what the running thread knows; or it has seen the write, which says
// nothing of what came before that.
static bool is_known(const Visit *visit, const Written *other) {
  return is_of_thread(visit, other) || point_is_before(&other->by->point);
}

static bool is_seen(const Visit *visit, const Written *other) {
  RaceAccess same = {.offset = other->offset, .bytes = other->bytes};
  const Location *location =
      other->is_strong ? location_find(visit->cellar->locations, &same) : NULL;
  return location && location_has_seen(location, other->position);
}

// The access comes before the write: its thread knew of it.
static bool is_foreseen(const Visit *visit, const Written *other) {
  const Point *here = &visit->here;
  const Stance *by = other->by;
  if (machine.run->code->has_warp_sync && by->point.block == here->block &&
      by->point.thread / LANES == here->thread / LANES &&
      by->clock[here->thread % LANES] >= here->tick)
    return true;
  uint64_t thread = known_thread(here->block, here->thread);
  uint32_t begun = known_value(by->known, known_block(here->block));
  uint32_t done = known_value(by->known, thread);
  return begun > here->interval || done >= here->tick;
}

// ------------------------------------------------------------------ report ---

// The bytes of the access that both access, as a mask.
static uint32_t common_bytes(const Visit *visit, const Written *other) {
  uint32_t common = 0;
  for (unsigned i = 0; i < visit->access->bytes && i < 32; i++) {
    int64_t at = visit->access->offset + i - other->offset;
    common |= (uint32_t)(at >= 0 && at < (int64_t)other->bytes) << i;
  }
  return common;
}

static void report(Visit *visit, const Written *other) {
  const Point *point = &other->by->point;
  Deed what = {.site = other->site, .bytes = other->bytes};
  bool can_excuse = visit->access->writes && !other->is_strong &&
                    races_can_excuse(point, other->site, visit->access);
  uint32_t common = can_excuse ? common_bytes(visit, other) : 0;
  if (can_excuse && races_is_excused(common))
    return;
  Incident incident =
      races_incident(point, &what, other->offset, visit->access);
  if (can_excuse) {
    races_excuse(&incident, common, visit->access);
    return;
  }
  machine_note(&incident);
  visit->has_raced = true;
}

// ------------------------------------------------------------------ writes ---

static bool is_of_block(const Visit *visit, const Written *other) {
  return other->by->point.block == visit->here.block;
}

// Nothing that was written in this word can race with the access: all of it is
// strong, for all blocks that have come here.
static bool is_harmless(const Visit *visit) {
  const RaceAccess *access = visit->access;
  const Cellar *cellar = visit->cellar;
  const Written *newest = cellar->newest;
  if (!newest)
    return true;
  bool is_one_block = !cellar->has_blocks && is_of_block(visit, newest);
  Scope wanted = is_one_block ? SCOPE_BLOCK : SCOPE_GRID;
  return cellar->is_strong && access->is_strong && cellar->scope >= wanted &&
         access->scope >= wanted && has_same_bytes(visit, newest);
}

// True: it follows all that were there before.
static bool hold_against_writes(Visit *visit) {
  const Cellar *cellar = visit->cellar;
  bool follows_all = true;
  for (const Written *other = cellar->newest;
       other && other->age == cellar->age; other = other->older) {
    bool is_before = is_known(visit, other);
    follows_all &= is_before;
    if (is_before && other->follows_all)
      break;
    if (!is_before && !visit->has_raced && conflict(visit, other) &&
        !is_seen(visit, other))
      report(visit, other);
  }
  return follows_all;
}

static bool is_again(const Visit *visit, const Written *other,
                     const Stance *by) {
  return other && other->by == by && other->age == visit->cellar->age &&
         has_same_bytes(visit, other) &&
         other->is_strong == visit->access->is_strong &&
         scope_of(other) == visit->access->scope;
}

static void append(Cellar *cellar, Written *made) {
  made->older = cellar->newest;
  made->newer = NULL;
  if (cellar->newest)
    cellar->newest->newer = made;
  else
    cellar->oldest = made;
  cellar->newest = made;
}

static void keep(const Visit *visit, bool follows_all, uint32_t position) {
  const RaceAccess *access = visit->access;
  Cellar *cellar = visit->cellar;
  const Stance *by = stance_here();
  const Written *newest = cellar->newest;
  if (is_again(visit, newest, by)) {
    cellar->newest->position = position;
    return;
  }
  Written *made = pool_take(&written);
  *made = (Written){.by = by,
                    .offset = access->offset,
                    .bytes = access->bytes,
                    .site = access->number,
                    .position = position,
                    .age = cellar->age,
                    .is_strong = access->is_strong,
                    .follows_all = follows_all};
  cellar->is_strong &=
      access->is_strong && (!newest || has_same_bytes(visit, newest));
  if (access->scope < cellar->scope)
    cellar->scope = access->scope;
  cellar->has_blocks |= newest && !is_of_block(visit, newest);
  cellar->in_order &= follows_all;
  append(cellar, made);
}

static void write_first(Visit *visit, uint32_t position) {
  bool is_harmless_here = is_harmless(visit);
  bool follows_all =
      is_harmless_here ? !visit->cellar->newest : hold_against_writes(visit);
  keep(visit, follows_all, position);
}

// The write that was kept, if it was one more.
static void write_again(const Visit *visit) {
  Cellar *cellar = visit->cellar;
  Written *next = cellar->last ? cellar->last->newer : cellar->oldest;
  if (next && next->age == cellar->age && has_same_bytes(visit, next) &&
      is_same_point(&next->by->point, &visit->here))
    cellar->last = next;
}

// ------------------------------------------------------------------- reads ---

static void hold_against_earlier(Visit *visit) {
  const Cellar *cellar = visit->cellar;
  for (const Written *other = cellar->last;
       other && other->age == cellar->age && !visit->has_raced;
       other = other->older) {
    bool is_before = is_known(visit, other);
    if (is_before && other->follows_all)
      return;
    if (!is_before && conflict(visit, other) && !is_seen(visit, other))
      report(visit, other);
  }
}

// A copy is not over when its thread comes to a barrier.
static void hold_against_later(Visit *visit) {
  const Cellar *cellar = visit->cellar;
  bool is_thread = !point_is_copy(&visit->here);
  const Written *other = cellar->last ? cellar->last->newer : cellar->oldest;
  for (; other && other->age == cellar->age && !visit->has_raced;
       other = other->newer) {
    bool is_ordered =
        (is_thread && is_known(visit, other)) || is_foreseen(visit, other);
    if (is_ordered && cellar->in_order)
      return;
    if (!is_ordered && conflict(visit, other))
      report(visit, other);
  }
}

static void read_again(Visit *visit) {
  if (is_harmless(visit))
    return;
  hold_against_earlier(visit);
  hold_against_later(visit);
}

// --------------------------------------------------------------- locations ---

// Where nobody has written there is nothing to come to know.
static Location *begin_location(const Visit *visit) {
  const RaceAccess *access = visit->access;
  if (!access->is_strong)
    return NULL;
  Location *location = access->writes
                           ? location_make(&visit->cellar->locations, access)
                           : location_find(visit->cellar->locations, access);
  if (location && visit->is_first && access->acquires)
    location_acquire(location, access, visit->is_whole);
  return location;
}

static void end_location(const Visit *visit, Location *location) {
  const RaceAccess *access = visit->access;
  if (access->writes && visit->cellar->locations)
    locations_overwrite(visit->cellar->locations, access,
                        visit->is_whole ? location : NULL);
  if (!location)
    return;
  if (access->reads && visit->is_whole)
    location_read(location, access, visit->is_first);
  if (access->writes)
    location_write(location, access, visit->is_first);
}

// Else a read sees parts of several writes, and counts as seeing none.
static bool is_whole(const RaceAccess *access) {
  unsigned words = 0, current = 0;
  int64_t start = access->offset & -WORD_BYTES;
  for (; start < access->offset + (int64_t)access->bytes; start += WORD_BYTES) {
    Key key = key_of(access->region, start);
    const Cellar *cellar = find(&key);
    const Location *location =
        cellar ? location_find(cellar->locations, access) : NULL;
    current += location && location_is_current(location, access);
    words++;
  }
  return !current || current == words;
}

// --------------------------------------------------------------------- all ---

static void visit_word(Visit *visit) {
  const RaceAccess *access = visit->access;
  bool is_second = twice_execution() == 2;
  Location *location = begin_location(visit);
  uint32_t position = location ? location_position(location) + 1 : 0;
  if (access->writes && is_second)
    write_again(visit);
  else if (access->writes)
    write_first(visit, position);
  else if (is_second)
    read_again(visit);
  end_location(visit, location);
}

// A read makes no word, and a plain one is nothing in the first execution.
static bool may_matter(const RaceAccess *access) {
  return access->writes || access->is_strong || twice_execution() == 2;
}

void writers_visit(const RaceAccess *access) {
  twice_note_step(access->number, access->offset);
  if (!may_matter(access))
    return;
  if (access->writes)
    twice_save(access->region, access->offset, access->bytes);
  Visit visit = {.access = access,
                 .here = point_here(),
                 .is_first = true,
                 .is_whole = !access->is_strong ||
                             access->bytes <= WORD_BYTES || is_whole(access)};
  int64_t start = access->offset & -WORD_BYTES;
  for (; start < access->offset + (int64_t)access->bytes; start += WORD_BYTES) {
    Key key = key_of(access->region, start);
    visit.cellar = access->writes ? find_or_make(&key) : find(&key);
    if (visit.cellar)
      visit_word(&visit);
    visit.is_first = false;
  }
}

void writers_renew(const char *at, uint64_t bytes) {
  const Region *region = region_find(at);
  if (!region)
    return;
  int64_t offset = at - region->at, start = offset & -WORD_BYTES;
  for (; start < offset + (int64_t)bytes; start += WORD_BYTES) {
    Key key = key_of(region, start);
    Cellar *cellar = find_or_make(&key);
    cellar->age++;
    cellar->locations = NULL;
  }
}

void writers_begin_again(void) {
  for (size_t i = 0; i < table.room; i++)
    if (table.at[i]) {
      table.at[i]->last = NULL;
      table.at[i]->locations = NULL;
      table.at[i]->age = 0;
    }
}

void writers_close(void) {
  free(table.at);
  memset(&table, 0, sizeof table);
  pool_close(&written);
  pool_close(&cellars);
  pool_close(&stances);
}
