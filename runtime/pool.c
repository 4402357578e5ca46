// Memory for the many small things that the search for races keeps.
//
// Objects of one size come from chunks and go back to a list.  All pools
// together stay below a limit, so that a run ends with a sentence and not with
// the machine's memory: to lose accesses silently would be to miss races.  The
// scheduler cannot end a run where it stands; it gets its object all the same.

#include "runtime/races.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 18, MOST_CHUNKS = 1 << 13 }; // 2 GiB

typedef struct PoolChunk {
  struct PoolChunk *next;
  _Alignas(16) char objects[];
} PoolChunk;

static unsigned taken; // chunks of all pools

static void out_of_memory(void) {
  static const char *const text = "no memory to keep accesses in";
  Incident incident = {.kind = INCIDENT_LIMIT};
  if (machine.self)
    machine_fail(INCIDENT_LIMIT, "%s", text);
  snprintf(incident.text, sizeof incident.text, "%s", text);
  machine_note(&incident);
  machine.is_over = true;
}

static void add_chunk(Pool *pool) {
  if (taken >= MOST_CHUNKS && !machine.is_over)
    out_of_memory();
  PoolChunk *chunk = malloc(CHUNK_BYTES);
  if (!chunk) {
    out_of_memory();
    abort();
  }
  taken++;
  chunk->next = pool->chunks;
  pool->chunks = chunk;
  size_t count = (CHUNK_BYTES - sizeof *chunk) / pool->bytes;
  for (size_t i = count; i-- > 0;)
    pool_give(pool, chunk->objects + i * pool->bytes);
}

void *pool_take(Pool *pool) {
  if (!pool->free)
    add_chunk(pool);
  void *object = pool->free;
  memcpy(&pool->free, object, sizeof pool->free);
  return object;
}

void pool_give(Pool *pool, void *object) {
  memcpy(object, &pool->free, sizeof pool->free);
  pool->free = object;
}

void pool_close(Pool *pool) {
  for (PoolChunk *next; pool->chunks; pool->chunks = next) {
    next = pool->chunks->next;
    free(pool->chunks);
    taken--;
  }
  pool->free = NULL;
}
