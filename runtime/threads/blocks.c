// The program's heap.
//
// Memory is taken from one end to the other and not given out twice in a run,
// so that whoever uses freed memory is seen.  A byte for each 16 bytes of the
// heap says how many of them may be used.  New memory is filled with a pattern:
// what a run finds in it must not depend on the run before.

#include "runtime/threads/world.h"

#include <string.h>

enum { FREED = 255 };

static uint32_t last; // granule of the block taken last

static char *heap_at(uint64_t offset) {
  return (char *)(uintptr_t)(HEAP_AT + offset);
}

void blocks_reset(void) {
  // To fill no bytes of a page that is not there is slow.
  if (world.heap_used)
    memset(world.granules, 0, world.heap_used / GRANULE);
  world.heap_used = 0;
  last = 0;
}

static uint64_t granules(uint64_t bytes) {
  return (bytes + GRANULE - 1) / GRANULE;
}

static HeapBlock *block_at(uint32_t granule) {
  return granule ? (HeapBlock *)(void *)heap_at((uint64_t)granule * GRANULE) - 1
                 : NULL;
}

HeapBlock *block_last(void) { return block_at(last); }

HeapBlock *block_before(const HeapBlock *block) {
  return block_at(block->before);
}

void *block_take(uint64_t bytes, uint64_t alignment, BlockKind kind) {
  uint64_t start = world.heap_used + sizeof(HeapBlock);
  if (bytes > HEAP_BYTES || alignment > HEAP_BYTES)
    return NULL;
  start = (start + alignment - 1) / alignment * alignment;
  if (start + bytes + 2 * GRANULE > HEAP_BYTES)
    return NULL;
  char *at = heap_at(start);
  world.hidden++;
  uint8_t *cells = world.granules + start / GRANULE;
  ((HeapBlock *)(void *)at)[-1] =
      (HeapBlock){.bytes = (uint32_t)bytes,
                  .site = world_place(),
                  .before = last,
                  .thread = (uint16_t)world.self->index,
                  .kind = (uint8_t)kind};
  last = (uint32_t)(start / GRANULE);
  memset(cells, GRANULE, bytes / GRANULE);
  if (bytes % GRANULE)
    cells[bytes / GRANULE] = bytes % GRANULE;
  memset(at, MALLOC_FILLING, bytes);
  world.heap_used = start + (granules(bytes) + 1) * GRANULE;
  return at;
}

bool block_is(const void *at) {
  uint64_t offset = (uint64_t)(uintptr_t)at - HEAP_AT;
  return offset < world.heap_used && offset >= sizeof(HeapBlock) &&
         offset % GRANULE == 0 && world.granules[offset / GRANULE - 1] == 0;
}

bool block_is_there(const void *at) {
  uint64_t offset = (uint64_t)(uintptr_t)at - HEAP_AT;
  unsigned cell = offset < HEAP_BYTES ? world.granules[offset / GRANULE] : 0;
  return cell && cell != FREED;
}

uint64_t block_bytes(const void *at) {
  return ((const HeapBlock *)at)[-1].bytes;
}

void block_require(const void *at, BlockKind kind) {
  const HeapBlock *block = (const HeapBlock *)at - 1;
  if (!block_is(at) || (block->kind != kind && block->kind != BLOCK_FREED))
    world_fail(MISHAP_MISUSE, "gives back %p, which %s has not given", at,
               kind == BLOCK_MAPPED ? "mmap" : "malloc");
  if (block->kind == BLOCK_FREED)
    world_fail(MISHAP_DOUBLE_FREE, "memory is freed twice");
}

// A block of no bytes has nothing to mark.
void block_give(void *at, BlockKind kind) {
  HeapBlock *block = (HeapBlock *)at - 1;
  block_require(at, kind);
  world.hidden++;
  uint64_t first = ((uint64_t)(uintptr_t)at - HEAP_AT) / GRANULE;
  block->kind = BLOCK_FREED;
  memset(world.granules + first, FREED, granules(block->bytes));
}

static _Noreturn void tell(unsigned cell, bool is_write) {
  const char *verb = is_write ? "writes to" : "reads from";
  if (cell == FREED)
    world_fail(MISHAP_USE_AFTER_FREE, "%s memory that was freed", verb);
  world_fail(MISHAP_OUT_OF_BOUNDS, "%s the heap outside of what was allocated",
             verb);
}

void block_check(const void *at, uint64_t bytes, bool is_write) {
  uint64_t offset = (uint64_t)(uintptr_t)at - HEAP_AT;
  while (bytes) {
    uint64_t inside = offset % GRANULE,
             here = bytes < GRANULE - inside ? bytes : GRANULE - inside;
    unsigned cell = offset < HEAP_BYTES ? world.granules[offset / GRANULE] : 0;
    if (cell == FREED || inside + here > cell)
      tell(cell, is_write);
    offset += here;
    bytes -= here;
  }
}
