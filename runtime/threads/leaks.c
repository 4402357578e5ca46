// Memory that is lost: at the program's end nothing points to it any more.
//
// Where main returns, or exit is called, we start from what the program can
// still reach, its variables and the stacks of threads that have not ended, and
// follow what may be a pointer into a block, through blocks that are reached.
// What looks like a pointer counts as one: a leak may be missed, none is made
// up.

#include "runtime/threads/world.h"

#include <stdlib.h>

typedef struct Reaching {
  HeapBlock **blocks; // those that were not freed, by address, downwards
  uint32_t count, room;
  uint32_t *open; // reached, with contents not followed yet
  uint32_t open_count;
} Reaching;

static Reaching reaching; // its memory is kept from run to run

static bool make_room(void) {
  uint32_t room = reaching.room ? 2 * reaching.room : 256;
  HeapBlock **blocks = realloc(reaching.blocks, room * sizeof *reaching.blocks);
  reaching.blocks = blocks ? blocks : reaching.blocks;
  uint32_t *open = realloc(reaching.open, room * sizeof *reaching.open);
  reaching.open = open ? open : reaching.open;
  if (!blocks || !open)
    return false;
  reaching.room = room;
  return true;
}

static bool gather(void) {
  bool has_taken = false;
  reaching.count = reaching.open_count = 0;
  for (HeapBlock *block = block_last(); block; block = block_before(block)) {
    if (block->kind == BLOCK_FREED)
      continue;
    if (reaching.count == reaching.room && !make_room())
      return false;
    has_taken |= block->kind == BLOCK_TAKEN;
    block->is_reached = false;
    reaching.blocks[reaching.count++] = block;
  }
  return has_taken;
}

static void reach(uint32_t number) {
  HeapBlock *block = reaching.blocks[number];
  if (block->is_reached)
    return;
  block->is_reached = true;
  reaching.open[reaching.open_count++] = number;
}

// One behind the last byte is still an address of the block.
static void follow(uint64_t word) {
  if (word - HEAP_AT >= HEAP_BYTES)
    return;
  uint32_t low = 0, high = reaching.count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if ((uint64_t)(uintptr_t)(reaching.blocks[middle] + 1) > word)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == reaching.count)
    return;
  const HeapBlock *block = reaching.blocks[low];
  if (word - (uint64_t)(uintptr_t)(block + 1) <= block->bytes)
    reach(low);
}

static void scan(const char *from, const char *end) {
  uintptr_t at = ((uintptr_t)from + 7) / 8 * 8;
  for (; at + 8 <= (uintptr_t)end; at += 8)
    follow(*(const uint64_t *)at);
}

static void scan_thread(const PosixThread *thread) {
  if (!thread->is_joined)
    follow((uint64_t)(uintptr_t)thread->result);
  if (thread->is_ended || thread->has_returned)
    return;
  follow((uint64_t)(uintptr_t)thread->argument);
  unsigned keys;
  void *const *values = keys_values(thread, &keys);
  for (unsigned i = 0; i < keys; i++)
    follow((uint64_t)(uintptr_t)values[i]);
  scan(thread->fiber.sp, world_stack_end(thread));
}

static void scan_all(void) {
  const char *globals = (const char *)(uintptr_t)GLOBALS_AT;
  scan(globals, globals + world.globals_bytes);
  for (uint32_t i = 0; i < world.count; i++)
    scan_thread(&world.threads[i]);
  for (uint32_t i = 0; i < reaching.count; i++)
    if (reaching.blocks[i]->kind == BLOCK_MAPPED)
      reach(i);
  while (reaching.open_count) {
    const HeapBlock *block =
        reaching.blocks[reaching.open[--reaching.open_count]];
    scan((const char *)(block + 1), (const char *)(block + 1) + block->bytes);
  }
}

static void tell(const HeapBlock *first, uint32_t count, uint64_t bytes) {
  world.flaw = (RunEnd){
      .mishap = MISHAP_LEAK, .site = first->site, .thread = first->thread};
  if (count == 1)
    snprintf(world.flaw.text, sizeof world.flaw.text,
             "nobody has freed these %llu bytes, and nothing points to them "
             "any more",
             (unsigned long long)bytes);
  else
    snprintf(world.flaw.text, sizeof world.flaw.text,
             "nobody has freed this block, and nothing points to it any more "
             "(%u such blocks, %llu bytes)",
             count, (unsigned long long)bytes);
}

void leaks_look(void) {
  if (!gather())
    return;
  const HeapBlock *first = NULL;
  uint32_t count = 0;
  uint64_t bytes = 0;
  scan_all();
  for (uint32_t i = 0; i < reaching.count; i++)
    if (!reaching.blocks[i]->is_reached) {
      first = reaching.blocks[i];
      count++;
      bytes += first->bytes;
    }
  if (first)
    tell(first, count, bytes);
}
