// Where the accesses to each word of memory are kept.
//
// A word is four bytes of an array.  A cell is what some lanes of one warp did
// to some bytes of it; smaller accesses share a word, larger ones have a cell
// in each.  Reads and writes are apart, so that a word that everybody reads is
// read quickly.  Global memory has its words for the whole run, shared memory
// with its block.

#define _GNU_SOURCE

#include "runtime/races.h"

#include <stdlib.h>
#include <sys/mman.h>

struct Shadow {
  Word *words; // of the array; also below it, if it goes on there
  uint64_t before, count;
};

static Pool pool = {.bytes = sizeof(Cell)};

Cell *cell_take(void) { return pool_take(&pool); }
void cell_give(Cell *cell) { pool_give(&pool, cell); }

static uint64_t words(uint64_t bytes) {
  return (bytes + WORD_BYTES - 1) / WORD_BYTES;
}

static uint64_t size_of(const Shadow *shadow) {
  return (shadow->before + shadow->count + 1) * sizeof(Word);
}

static Shadow *new_shadow(const Region *region) {
  Shadow *shadow = calloc(1, sizeof *shadow);
  if (!shadow)
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  *shadow =
      (Shadow){.before = words(region->before), .count = words(region->bytes)};
  void *at = mmap(NULL, size_of(shadow), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    free(shadow);
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  }
  shadow->words = (Word *)at + shadow->before;
  return shadow;
}

static void free_shadow(Shadow *shadow) {
  if (!shadow)
    return;
  munmap(shadow->words - shadow->before, size_of(shadow));
  free(shadow);
}

static void free_cells(Cell *cell) {
  for (Cell *next; cell; cell = next) {
    next = cell->next;
    cell_give(cell);
  }
}

// Their cells can be taken again, and so can the rest of them.
static void empty_words(Word *word, const Word *end) {
  for (; word < end; word++) {
    free_cells(word->reads);
    free_cells(word->writes);
    location_free(word->locations);
    *word = (Word){0};
  }
}

static void empty_shadow(Shadow *shadow) {
  if (shadow)
    empty_words(shadow->words, shadow->words + shadow->count);
}

void shadow_forget_bytes(Region *region, int64_t offset, uint64_t bytes) {
  const Shadow *shadow = region->shadow;
  int64_t first = offset > 0 ? offset / WORD_BYTES : 0;
  uint64_t end = words((uint64_t)(offset + (int64_t)bytes));
  if (shadow)
    empty_words(shadow->words + first,
                shadow->words + (end < shadow->count ? end : shadow->count));
}

static uint64_t variables(void) { return machine.run->code->variables.count; }

void shadow_forget(Group *group) {
  for (size_t i = 0; i < variables(); i++)
    empty_shadow(group->shadow[i]);
}

void shadow_close_group(Group *group) {
  for (size_t i = 0; i < variables(); i++)
    free_shadow(group->shadow[i]);
}

void shadow_close(void) {
  const Memory *memory = machine.memory;
  for (unsigned i = 0; memory && i < memory->count; i++)
    free_shadow(memory->regions[i].shadow);
  pool_close(&pool);
}

Word *shadow_word(Region *region, int64_t index) {
  Shadow **shadow = &region->shadow;
  if (region->space == SPACE_SHARED)
    shadow = &machine.self->group
                  ->shadow[(size_t)region->array - machine.run->buffers.count];
  if (!*shadow)
    *shadow = new_shadow(region);
  return &(*shadow)->words[index];
}
