// A set of 64-bit hashes that only grows, each with a small number beside it.
//
// Open addressing, at most half full; 0 marks a free place, so a hash of 0 is
// taken for 1.

#include "runtime/schedules/schedule.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1024 };

struct SeenEntry {
  uint64_t hash;
  uint32_t number;
};

static struct SeenEntry *place(struct SeenEntry *entries, uint64_t room,
                               uint64_t hash) {
  uint64_t i = hash & (room - 1);
  while (entries[i].hash && entries[i].hash != hash)
    i = (i + 1) & (room - 1);
  return &entries[i];
}

static bool grow(Seen *seen) {
  uint64_t room = seen->room ? 2 * seen->room : FIRST_ROOM;
  struct SeenEntry *entries = calloc(room, sizeof *entries);
  if (!entries)
    return false;
  for (uint64_t i = 0; i < seen->room; i++)
    if (seen->entries[i].hash)
      *place(entries, room, seen->entries[i].hash) = seen->entries[i];
  free(seen->entries);
  seen->entries = entries;
  seen->room = room;
  return true;
}

uint32_t *seen_put(Seen *seen, uint64_t hash, uint32_t otherwise) {
  hash += !hash;
  if (2 * seen->count >= seen->room && !grow(seen))
    return NULL;
  struct SeenEntry *entry = place(seen->entries, seen->room, hash);
  if (!entry->hash) {
    *entry = (struct SeenEntry){hash, otherwise};
    seen->count++;
  }
  return &entry->number;
}

void seen_free(Seen *seen) {
  free(seen->entries);
  *seen = (Seen){0};
}
