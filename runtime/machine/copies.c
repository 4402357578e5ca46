// Asynchronous copies: cp.async, and cp.async.bulk.
//
// The bytes are copied when somebody waits for the copy, and no sooner: whoever
// reads before finds what was there.  For races.c the copy is an access of a
// companion, a thread of its own: it knows what the thread that starts the copy
// knew then, and only those who have waited know of it, the thread itself by
// cp.async.wait_group or others at an mbarrier.  So an access by any thread
// before the wait, also by the one that started the copy, races with it.  If
// that thread is the first to know that the copy is over, the copy counts as
// its own access from then on.

#include "runtime/machine/copies.h"
#include "runtime/machine/races.h"

#include <stdlib.h>
#include <string.h>

// -------------------------------------------------------------- companions ---

bool point_is_init(const Point *point) {
  return point_is_copy(point) && point->thread >= FIRST_OF_INITS &&
         point->thread < FIRST_OF_MBARRIERS;
}

unsigned copy_thread(const Point *point) {
  const Group *group = machine.self ? machine.self->group : NULL;
  unsigned companion = point->thread;
  bool is_here = group && point->block == copy_block(group->index);
  if (companion < FIRST_OF_MBARRIERS)
    return companion % FIRST_OF_COPIES;
  size_t number = companion - FIRST_OF_MBARRIERS;
  if (companion >= FIRST_OF_EVENTS)
    return 0; // any of the group
  return is_here && number < group->mbarriers.count
             ? group->mbarriers.at[number].issuer
             : 0;
}

static void check(const void *at, uint64_t bytes, uint32_t site,
                  SiteKind kind) {
  Region *region = bytes ? region_find(at) : NULL;
  if (region)
    races_check(region, (const char *)at - region->at, bytes, site, kind);
}

typedef struct Ends {
  bool writes, reads;
} Ends;

// The accesses of the copy, by a companion at this tick.
static void check_as(unsigned companion, uint32_t tick, const Copy *copy,
                     Ends ends) {
  static Thread shade;
  Thread *self = machine.self;
  Tidings tidings = {0};
  if (!machine.watches_races || self->quiet)
    return;
  races_settle();
  tidings_add(&tidings, self);
  shade = (Thread){.group = self->group,
                   .index = companion,
                   .site = copy->site,
                   .is_copy = true};
  memcpy(shade.id, self->id, sizeof shade.id);
  shade.clock[companion % LANES] = tick;
  tidings_learn(&tidings, &shade);
  tidings_drop(&tidings);
  machine.self = &shade;
  races_turn(&shade);
  if (ends.writes)
    check(copy->to, copy->bytes, copy->site, SITE_WRITE);
  shade.site = copy->site + 1;
  if (ends.reads)
    check(copy->from, copy->taken, copy->site + 1, SITE_READ);
  causality_forget(&shade);
  machine.self = self;
  races_turn(self);
}

void copies_check(unsigned companion, const Copy *copy) {
  check_as(companion, copy->stamp, copy, (Ends){.writes = true, .reads = true});
}

void copies_check_init(char *at, uint32_t bytes) {
  Thread *self = machine.self;
  unsigned companion = FIRST_OF_INITS + self->index;
  Copy copy = {.to = at, .bytes = bytes, .site = self->site};
  if (!machine.watches_races)
    return;
  races_settle();
  races_forget_bytes(at, bytes);
  check_as(companion, ++self->inits, &copy, (Ends){.writes = true});
  causality_know(self, self->group->index, companion, self->inits);
}

// ------------------------------------------------------------------- lists ---

void copies_add(Copies *copies, const Copy *copy) {
  Copy *grown = machine_grown(copies->at, copies->count, &copies->capacity,
                              sizeof *grown);
  if (!grown)
    machine_fail(INCIDENT_LIMIT, "no memory for asynchronous copies");
  copies->at = grown;
  copies->at[copies->count++] = *copy;
}

void copies_clear(Copies *copies) {
  free(copies->at);
  *copies = (Copies){0};
}

// The bytes come.
void copies_make(Copy *copy) {
  if (copy->is_made)
    return;
  copy->is_made = true;
  if (copy->taken)
    memcpy(copy->to, copy->from, copy->taken);
  if (copy->bytes > copy->taken)
    memset(copy->to + copy->taken, 0, copy->bytes - copy->taken);
}

void copies_drop(Thread *thread) {
  for (unsigned kind = 0; kind < COPY_KINDS; kind++) {
    Copies *copies = &thread->copies[kind];
    *copies = (Copies){.at = copies->at, .capacity = copies->capacity};
  }
}

void copies_leave(Thread *thread) {
  for (unsigned kind = 0; kind < COPY_KINDS; kind++)
    for (size_t i = 0; i < thread->copies[kind].count; i++)
      copies_make(&thread->copies[kind].at[i]);
  copies_drop(thread);
}

// ------------------------------------------------------------------- start ---

static void check_place(const void *at, uint32_t bytes, uint32_t multiple) {
  if ((uintptr_t)at % multiple)
    machine_fail(INCIDENT_CRASH,
                 "an asynchronous copy of %u bytes at an address that is no "
                 "multiple of %u",
                 bytes, multiple);
  if (machine.run->watch != WATCH_NOTHING && bytes && !machine.self->quiet)
    region_of_access(at, bytes);
}

// PTX lets them write into other blocks of the cluster; here that is not known.
static void refuse_other_block(const char *to) {
  if (clusters_rank(to) != machine.self->group->seat.rank)
    machine_fail(INCIDENT_REFUSED,
                 "an asynchronous copy into another block of the cluster");
}

static Copy copy_of(char *to, const char *from, uint32_t bytes, uint32_t taken,
                    uint32_t multiple) {
  Thread *self = machine.self;
  refuse_other_block(to);
  check_place(to, bytes, multiple);
  check_place(from, taken, multiple);
  return (Copy){.to = to,
                .from = from,
                .bytes = bytes,
                .taken = taken < bytes ? taken : bytes,
                .site = self->site,
                .thread = self->index};
}

void copy_start(char *to, const char *from, uint32_t bytes, uint32_t taken) {
  Copies *copies = &machine.self->copies[COPY_PLAIN];
  Copy copy = copy_of(to, from, bytes, taken, bytes);
  copy.group = copies->groups + 1;
  copy.stamp = ++copies->stamp;
  copies_check(FIRST_OF_COPIES + copy.thread, &copy);
  copies_add(copies, &copy);
}

enum { BULK_MULTIPLE = 16 };

static void check_bulk(uint32_t bytes) {
  if (bytes % BULK_MULTIPLE)
    machine_fail(INCIDENT_CRASH,
                 "a bulk copy of %u bytes, which is no multiple of %d", bytes,
                 BULK_MULTIPLE);
}

void copy_start_bulk(char *to, const char *from, uint32_t bytes) {
  Copies *copies = &machine.self->copies[COPY_BULK];
  check_bulk(bytes);
  Copy copy = copy_of(to, from, bytes, bytes, BULK_MULTIPLE);
  copy.group = copies->groups + 1;
  copy.stamp = ++copies->stamp;
  check_as(FIRST_OF_BULK_READS + copy.thread, copy.stamp, &copy,
           (Ends){.reads = true});
  check_as(FIRST_OF_BULK_WRITES + copy.thread, copy.stamp, &copy,
           (Ends){.writes = true});
  copies_add(copies, &copy);
}

void copy_start_for(char *to, const char *from, uint32_t bytes, char *at) {
  check_bulk(bytes);
  Copy copy = copy_of(to, from, bytes, bytes, BULK_MULTIPLE);
  SharedMbarrier *mbarrier = mbarriers_live(at);
  copy.stamp = ++mbarrier->stamp;
  mbarrier->issuer = copy.thread;
  copies_check(mbarrier->companion, &copy);
  copies_add(&mbarrier->late, &copy);
}

// ------------------------------------------------------------------- waits ---

void copies_commit(uint32_t kind) { machine.self->copies[kind].groups++; }

// An access at the time of the wait, if nobody else can know of the copy by
// then; else it stays its companion's.
static void access_as_thread(const Copy *copy, Ends ends) {
  const AccessHooks *hooks = access_hooks(machine.run);
  if (machine.run->watch == WATCH_NOTHING ||
      (machine.watches_races && copy->is_published))
    return;
  if (ends.reads)
    hooks->fetch((char *)copy->from, copy->taken, copy->site + 1);
  if (ends.writes)
    hooks->fill(copy->to, copy->bytes, copy->site);
}

void copies_look(const Copy *copy) {
  check_place(copy->to, copy->bytes, 1);
  check_place(copy->from, copy->taken, 1);
  if (machine.needs_actors)
    access_as_thread(copy, (Ends){.writes = true, .reads = true});
}

static void know(unsigned companion, const Copy *copy) {
  if (machine.watches_races)
    causality_know(machine.self, machine.self->group->index, companion,
                   copy->stamp);
}

// What has been read can change, so it is written at once, which nobody knows.
static void finish(uint32_t kind, Copy *copy, bool only_reads) {
  unsigned thread = machine.self->index;
  Ends ends = {.writes = !only_reads, .reads = !copy->is_read};
  copy->is_read = true;
  if (kind == COPY_PLAIN)
    know(FIRST_OF_COPIES + thread, copy);
  if (kind == COPY_BULK)
    know(FIRST_OF_BULK_READS + thread, copy);
  if (kind == COPY_BULK && !only_reads)
    know(FIRST_OF_BULK_WRITES + thread, copy);
  access_as_thread(copy, ends);
  copies_make(copy);
}

void copies_wait(uint32_t kind, uint32_t most, uint32_t only_reads) {
  Copies *copies = &machine.self->copies[kind];
  uint32_t site = machine.self->site;
  size_t kept = 0;
  races_settle();
  for (size_t i = 0; i < copies->count; i++) {
    Copy *copy = &copies->at[i];
    bool is_over = copy->group + most <= copies->groups;
    if (is_over)
      finish(kind, copy, only_reads);
    if (!is_over || only_reads)
      copies->at[kept++] = *copy;
  }
  copies->count = kept;
  machine.self->site = site;
}

void copies_wait_all(void) {
  copies_commit(COPY_PLAIN);
  copies_wait(COPY_PLAIN, 0, false);
}

// -------------------------------------------------------------- mbarriers ---

void copies_arrive_late(SharedMbarrier *mbarrier) {
  Thread *self = machine.self;
  Copy arrival = {.thread = self->index,
                  .stamp = self->copies[COPY_PLAIN].stamp,
                  .is_arrival = true};
  Copies *copies = &self->copies[COPY_PLAIN];
  for (size_t i = 0; i < copies->count; i++)
    copies->at[i].is_published = true;
  copies_add(&mbarrier->late, &arrival);
}

static void come(Group *group, SharedMbarrier *mbarrier, Copy *late) {
  unsigned companion =
      late->is_arrival ? FIRST_OF_COPIES + late->thread : mbarrier->companion;
  Copies *copies = &group->threads[late->thread].copies[COPY_PLAIN];
  for (size_t i = 0; late->is_arrival && i < copies->count; i++)
    if (copies->at[i].stamp <= late->stamp)
      copies_make(&copies->at[i]);
  copies_make(late);
  if (machine.watches_races)
    tidings_put(&mbarrier->coming, group->index, companion, late->stamp);
  MbarrierEvent event = {.kind = late->is_arrival ? MBARRIER_ARRIVE
                                                  : MBARRIER_COMPLETE,
                         .count = late->is_arrival,
                         .bytes = late->bytes};
  mbarriers_land(group, mbarrier, &group->threads[late->thread], event);
}

// A phase that is over may let others come, which are for the next one.
void copies_come_late(Group *group, SharedMbarrier *mbarrier) {
  Copies late = mbarrier->late;
  mbarrier->late = (Copies){0};
  for (size_t i = 0; i < late.count; i++)
    come(group, mbarrier, &late.at[i]);
  copies_clear(&late);
}
