// Shared memory between two barriers.
//
// What was done to the shared memory of a block before its last barrier races
// with nothing any more.  If there is no race, a word has since then been
// written by one thread, or read by some, of which we need two.  So each word
// of shared memory has a mark, in place of the lines and cells of shadow.c:
// three numbers, for one writer and two readers, each with the barrier
// interval, the site and the thread.  Marks need no clearing, because a number
// of another interval counts as none.  runtime/jit/spots.c has the same
// inlined.
//
// What a mark cannot express, that is, accesses to parts of a word, strong
// accesses and races, is kept in the word's lists (shadow.c) until the next
// barrier.  There are no marks where something else than a barrier orders
// threads: fences, atomics, __syncwarp, arrivals at barriers, waits for
// asynchronous copies.

#include "runtime/machine/races.h"

_Static_assert(1 << MARK_THREAD_BITS == 1024, "of a block");

bool marks_suffice(const Code *code) {
  for (size_t i = 0; i < code->sites.count; i++)
    if (code->sites.at[i].acquires || code->sites.at[i].releases)
      return false;
  return !code->has_warp_sync && !code->has_arrivals &&
         code->sites.count <= 1 << MARK_SITE_BITS;
}

// Of the same thread.
static bool is_own(uint64_t number, uint64_t own) {
  return !((number ^ own) & ((1 << MARK_THREAD_BITS) - 1));
}

static bool read_mark(Mark *mark, uint64_t own) {
  if (mark_is_of(mark->second, own))
    return true;
  if (mark_is_of(mark->write, own) && !is_own(mark->write, own))
    return false;
  if (!mark_is_of(mark->read, own))
    mark->read = own;
  else if (!is_own(mark->read, own))
    mark->second = own;
  return true;
}

static bool write_mark(Mark *mark, uint64_t own) {
  if (mark_is_of(mark->second, own) ||
      (mark_is_of(mark->read, own) && !is_own(mark->read, own)) ||
      (mark_is_of(mark->write, own) && !is_own(mark->write, own)))
    return false;
  mark->write = own;
  return true;
}

bool marks_access(Mark *marks, uint64_t bytes, uint32_t site, bool writes) {
  uint64_t width = (uint64_t)__builtin_ctzll(bytes / WORD_BYTES);
  uint64_t own = turn.marks | width << MARK_WIDTH_AT |
                 (uint64_t)site << MARK_THREAD_BITS | machine.self->index;
  for (uint64_t i = 0; i < bytes / WORD_BYTES; i++)
    if (marks[i].listed == turn.moment ||
        !(writes ? write_mark(&marks[i], own) : read_mark(&marks[i], own)))
      return false;
  return true;
}

bool marks_are_listed(const Mark *marks, uint64_t words) {
  for (uint64_t i = 0; i < words; i++)
    if (marks[i].listed != turn.moment)
      return false;
  return true;
}

// What the number says, as a cell of the word.
static void add_cell(Cell **list, uint64_t number, bool writes) {
  uint32_t thread = number & ((1 << MARK_THREAD_BITS) - 1);
  uint64_t width = number >> MARK_WIDTH_AT & ((1 << MARK_WIDTH_BITS) - 1);
  Deed what = {.bytes = (uint64_t)WORD_BYTES << width,
               .start = START_ALIGNED,
               .site = number >> MARK_THREAD_BITS & ((1 << MARK_SITE_BITS) - 1),
               .writes = writes};
  Thread *self = machine.self;
  Deed *deed = NULL;
  machine.self = &self->group->threads[thread];
  cell_add(list, deed_here(&deed, &what), UINT32_C(1) << thread % LANES);
  machine.self = self;
  deed_drop(deed);
}

void mark_list(Mark *mark, Word *word) {
  uint64_t moment = machine.self->group->moment;
  uint64_t now = mark_base(moment);
  if (mark_is_of(mark->write, now))
    add_cell(&word->writes, mark->write, true);
  if (mark_is_of(mark->read, now))
    add_cell(&word->reads, mark->read, false);
  if (mark_is_of(mark->second, now))
    add_cell(&word->reads, mark->second, false);
  *mark = (Mark){.listed = moment, .write = now};
}
