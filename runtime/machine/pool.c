// Memory for the many small things that the search for races keeps.
//
// Objects of one size come from chunks and go back to a list.  Chunks after the
// first are made of huge pages where the system has them, because faulting in
// small pages takes longer than using the objects.  All pools together stay
// below a limit, so that a run ends with a sentence and not with the machine's
// memory: to lose accesses silently would be to miss races.  The scheduler
// cannot end a run at any moment, so it gets its object even beyond the limit.

#define _GNU_SOURCE

#include "runtime/machine/races.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_BYTES = 1 << 18, NEXT_BYTES = 1 << 22, HUGE_PAGE = 1 << 21 };

#define MOST_BYTES (UINT64_C(1) << 31)

typedef struct PoolChunk {
  struct PoolChunk *next;
  size_t bytes;
  _Alignas(16) char objects[];
} PoolChunk;

static uint64_t taken; // bytes of all pools

static void out_of_memory(void) {
  static const char *const text = "no memory to keep accesses in";
  Incident incident = {.kind = INCIDENT_LIMIT};
  if (machine.self)
    machine_fail(INCIDENT_LIMIT, "%s", text);
  snprintf(incident.text, sizeof incident.text, "%s", text);
  machine_note(&incident);
  machine.is_over = true;
}

static PoolChunk *new_chunk(size_t bytes) {
  PoolChunk *chunk =
      bytes < NEXT_BYTES ? malloc(bytes) : aligned_alloc(HUGE_PAGE, bytes);
  if (!chunk) {
    out_of_memory();
    abort();
  }
  if (bytes == NEXT_BYTES)
    madvise(chunk, bytes, MADV_HUGEPAGE);
  return chunk;
}

static void add_chunk(Pool *pool) {
  if (taken >= MOST_BYTES && !machine.is_over)
    out_of_memory();
  size_t bytes = pool->chunks ? NEXT_BYTES : FIRST_BYTES;
  PoolChunk *chunk = new_chunk(bytes);
  taken += bytes;
  *chunk = (PoolChunk){.next = pool->chunks, .bytes = bytes};
  pool->chunks = chunk;
  pool->fresh = chunk->objects;
  pool->left = (bytes - sizeof *chunk) / pool->bytes;
}

void *pool_take(Pool *pool) {
  void *object = pool->free;
  if (object) {
    memcpy(&pool->free, object, sizeof pool->free);
    return object;
  }
  if (!pool->left)
    add_chunk(pool);
  object = pool->fresh;
  pool->fresh += pool->bytes;
  pool->left--;
  return object;
}

void pool_give(Pool *pool, void *object) {
  memcpy(object, &pool->free, sizeof pool->free);
  pool->free = object;
}

void pool_close(Pool *pool) {
  for (PoolChunk *next; pool->chunks; pool->chunks = next) {
    next = pool->chunks->next;
    taken -= pool->chunks->bytes;
    free(pool->chunks);
  }
  pool->free = NULL;
  pool->left = 0;
}
