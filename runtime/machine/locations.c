// Places that strong accesses are made to: atomics, and volatile ones in CUDA.
//
// A strong read that sees a strong write of another thread learns two things.
// First, that write and the strong writes to this place before it come before
// whatever the reader does next, with or without a fence: writes are counted,
// and we keep how many of them each thread has seen.  Second, it gets the
// message of the write (causality.c), whose contents it knows after a fence.  A
// read-modify-write carries on the message of the write that it sees; any other
// write begins anew.
//
// A read sees a write only if each of the two is for a scope that has the other
// thread in it, and both are of the same bytes.  A run is one interleaving, so
// what a read sees is the last write.

#include "runtime/machine/races.h"

#include <stdlib.h>

enum { LOOK_BACK = 32 };

typedef struct Seen {
  Point by;
  uint32_t position;
} Seen;

struct Location {
  Location *next;      // of the same word
  Location *around[2]; // of all
  int64_t offset;
  uint64_t bytes;
  Point writer;
  Scope scope;     // of the last write
  bool is_current; // ... and it was a strong one
  uint32_t position, chain;
  Message *message;
  Seen *seen;
  size_t seen_count, seen_capacity;
};

static Pool pool = {.bytes = sizeof(Location)};
static Location *all;

Location *location_find(Location *list, const RaceAccess *access) {
  while (list &&
         (list->offset != access->offset || list->bytes != access->bytes))
    list = list->next;
  return list;
}

Location *location_make(Location **list, const RaceAccess *access) {
  Location *location = location_find(*list, access);
  if (location)
    return location;
  location = pool_take(&pool);
  *location = (Location){.next = *list,
                         .around = {NULL, all},
                         .offset = access->offset,
                         .bytes = access->bytes};
  if (all)
    all->around[0] = location;
  all = location;
  return *list = location;
}

static void remove_from_all(Location *location) {
  Location *before = location->around[0], *behind = location->around[1];
  if (before)
    before->around[1] = behind;
  else
    all = behind;
  if (behind)
    behind->around[0] = before;
}

void location_free(Location *list) {
  for (Location *next; list; list = next) {
    next = list->next;
    remove_from_all(list);
    message_drop(list->message);
    free(list->seen);
    pool_give(&pool, list);
  }
}

void locations_close(void) {
  while (all) {
    all->next = NULL;
    location_free(all);
  }
  pool_close(&pool);
}

static bool is_seen_at_all(const Location *location, const RaceAccess *access,
                           const Point *here) {
  return location->is_current && location->writer.epoch == here->epoch &&
         is_in_scope(location->scope, &location->writer, here) &&
         is_in_scope(access->scope, &location->writer, here);
}

static bool is_same_thread(const Point *a, const Point *b) {
  return a->block == b->block && a->thread == b->thread;
}

bool location_is_current(const Location *location, const RaceAccess *access) {
  Point here = point_here();
  return is_seen_at_all(location, access, &here);
}

bool location_is_observed(const Location *location, const RaceAccess *access) {
  Point here = point_here();
  return is_seen_at_all(location, access, &here) &&
         !is_same_thread(&location->writer, &here);
}

// ------------------------------------------------------------------ seen ---

static Seen *add_seen(Location *location) {
  if (location->seen_count == location->seen_capacity) {
    location->seen_capacity += location->seen_capacity / 2 + 4;
    location->seen =
        realloc(location->seen, location->seen_capacity * sizeof(Seen));
    if (!location->seen)
      abort();
  }
  return &location->seen[location->seen_count++];
}

// A thread that looks again and again sees much the same.
static void note_seen(Location *location, const Point *here) {
  size_t count = location->seen_count;
  for (size_t i = count; i > 0 && count - i < LOOK_BACK; i--) {
    Seen *seen = &location->seen[i - 1];
    if (!is_same_thread(&seen->by, here))
      continue;
    if (seen->position == location->position)
      return;
    if (seen->by.tick == here->tick && seen->by.interval == here->interval &&
        seen->by.epoch == here->epoch) {
      seen->position = location->position;
      return;
    }
    break;
  }
  *add_seen(location) = (Seen){*here, location->position};
}

bool location_has_seen(const Location *location, uint32_t position) {
  for (size_t i = location->seen_count; i > 0; i--)
    if (location->seen[i - 1].position >= position &&
        point_is_before(&location->seen[i - 1].by))
      return true;
  return false;
}

void location_forget(Location *location, uint32_t position) {
  size_t count = 0;
  for (size_t i = 0; i < location->seen_count; i++)
    if (location->seen[i].position >= position)
      location->seen[count++] = location->seen[i];
  location->seen_count = count;
}

uint32_t location_position(const Location *location) {
  return location->position;
}

// -------------------------------------------------------------- accesses ---

static void receive(Location *location, const RaceAccess *access) {
  if (location->message && location_is_observed(location, access))
    message_receive(location, location->chain, location->message);
}

void location_acquire(Location *location, const RaceAccess *access,
                      bool is_told) {
  if (is_told)
    receive(location, access);
  message_acquire(location, access->site);
}

void location_read(Location *location, const RaceAccess *access, bool is_told) {
  Point here = point_here();
  if (!location_is_observed(location, access))
    return;
  note_seen(location, &here);
  if (is_told)
    receive(location, access);
}

void location_write(Location *location, const RaceAccess *access, bool tells) {
  Point here = point_here();
  bool carries_on = access->reads && is_seen_at_all(location, access, &here);
  if (!carries_on) {
    message_drop(location->message);
    location->message = NULL;
    location->chain++;
  }
  if (tells)
    location->message =
        message_publish(location, location->message, access->site);
  location->writer = here;
  location->scope = access->scope;
  location->is_current = true;
  location->position++;
}

void locations_overwrite(Location *list, const RaceAccess *access,
                         const Location *but) {
  for (; list; list = list->next) {
    bool is_apart = list->offset + (int64_t)list->bytes <= access->offset ||
                    access->offset + (int64_t)access->bytes <= list->offset;
    if (!is_apart && list != but)
      list->is_current = false;
  }
}
