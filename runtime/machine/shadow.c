// Where the accesses to each word of memory are kept.
//
// A word is four bytes of an array, a line is 32 words.  A deed is what lanes
// of one warp did at one site; a cell says which of them did it to a word.
// Smaller accesses share a word, larger ones have a cell in each.  Reads and
// writes are kept apart, so that reading a word that everybody reads is quick.
//
// Most kernels let neighbouring lanes access neighbouring words.  For a line of
// such words two deeds are enough, one for the reads and one for the writes,
// with a bit for each word; that is one byte for each word of the array.  The
// first access that does not fit splits the line into lists of cells.
// Addresses for these are reserved from the start, memory only when it is used.
//
// The shadow of global memory lives as long as the run, that of shared memory
// as long as its block.  Where marks (marks.c) suffice, shared memory has these
// in place of lines.

#define _GNU_SOURCE

#include "runtime/machine/races.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

struct Shadow {
  Word *words; // of the array; also below it, if it goes on there
  Line *lines;
  Mark *marks;
  bool has_marks;
  uint64_t before, count; // lines
};

static Pool cells = {.bytes = sizeof(Cell)}, deeds = {.bytes = sizeof(Deed)};

// ----------------------------------------------------------------- deeds ---

static bool is_here(const Deed *deed, const Deed *what, const Point *here) {
  return deed && deed->moment == machine.self->group->moment &&
         deed->first.thread == here->thread && deed->first.tick == here->tick &&
         deed->site == what->site && deed->bytes == what->bytes &&
         deed->start == what->start && deed->offset == what->offset &&
         deed->writes == what->writes;
}

Deed *deed_here(Deed **kept, const Deed *what) {
  Point here = point_here();
  here.thread &= ~(uint32_t)(LANES - 1);
  if (is_here(*kept, what, &here))
    return *kept;
  deed_drop(*kept);
  *kept = pool_take(&deeds);
  **kept = *what;
  (*kept)->first = here;
  (*kept)->moment = machine.self->group->moment;
  (*kept)->holds = 1;
  return *kept;
}

Deed *deed_hold(Deed *deed) {
  deed->holds++;
  return deed;
}

void deed_drop(Deed *deed) {
  if (deed && !--deed->holds)
    pool_give(&deeds, deed);
}

void cell_add(Cell **list, Deed *deed, uint32_t lanes) {
  Cell *cell = pool_take(&cells);
  *cell = (Cell){.next = *list, .deed = deed_hold(deed), .lanes = lanes};
  *list = cell;
}

void cell_give(Cell *cell) {
  deed_drop(cell->deed);
  pool_give(&cells, cell);
}

static void free_cells(Cell *cell) {
  for (Cell *next; cell; cell = next) {
    next = cell->next;
    cell_give(cell);
  }
}

// ---------------------------------------------------------------- shadows ---

static uint64_t lines_of(uint64_t bytes) {
  return (bytes + LINE_BYTES - 1) / LINE_BYTES;
}

static uint64_t size_of(const Shadow *shadow) {
  uint64_t marks =
      shadow->has_marks ? shadow->count * LINE_WORDS * sizeof(Mark) : 0;
  return (shadow->before + shadow->count) *
             (LINE_WORDS * sizeof(Word) + sizeof(Line)) +
         marks;
}

// Nearly all of them are used, mostly one after another.
static void expect_lines(Line *first, uint64_t count) {
  uintptr_t from = ((uintptr_t)first + PAGE - 1) & -(uintptr_t)PAGE;
  uintptr_t end = (uintptr_t)(first + count) & -(uintptr_t)PAGE;
  if (from < end)
    madvise((void *)from, end - from, MADV_HUGEPAGE);
}

// One line more: an access at the end that is not aligned.
static Shadow *new_shadow(const Region *region) {
  Shadow *shadow = calloc(1, sizeof *shadow);
  if (!shadow)
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  shadow->before = lines_of(region->before);
  shadow->count = lines_of(region->bytes) + 1;
  shadow->has_marks = region->space == SPACE_SHARED && traits.has_marks;
  void *at = mmap(NULL, size_of(shadow), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    free(shadow);
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  }
  uint64_t lines = shadow->before + shadow->count;
  shadow->words = (Word *)at + shadow->before * LINE_WORDS;
  shadow->lines =
      (Line *)(void *)((Word *)at + lines * LINE_WORDS) + shadow->before;
  expect_lines(shadow->lines, shadow->count);
  if (shadow->has_marks)
    shadow->marks = (Mark *)(void *)(shadow->lines + shadow->count);
  return shadow;
}

static void free_shadow(Shadow **place) {
  Shadow *shadow = *place;
  *place = NULL;
  if (!shadow)
    return;
  munmap(shadow->words - shadow->before * LINE_WORDS, size_of(shadow));
  free(shadow);
}

static void empty_word(Word *word) {
  free_cells(word->reads);
  free_cells(word->writes);
  location_free(word->locations);
  *word = (Word){0};
}

static void empty_words(Word *words) {
  for (unsigned i = 0; i < LINE_WORDS; i++)
    empty_word(&words[i]);
}

// Its cells can be taken again, and so can the rest of it.
static void empty_shadow(Shadow *shadow) {
  for (uint64_t i = 0; shadow && i < shadow->count; i++) {
    Line *line = &shadow->lines[i];
    if (line->phase == PHASE_SPLIT)
      empty_words(&shadow->words[i * LINE_WORDS]);
    deed_drop(line->read);
    deed_drop(line->write);
    *line = (Line){0};
  }
}

void shadow_forget_bytes(Region *region, int64_t offset, uint64_t bytes) {
  const Shadow *shadow = region->shadow;
  int64_t first = offset > 0 ? offset / WORD_BYTES : 0;
  int64_t end = (offset + (int64_t)bytes + WORD_BYTES - 1) / WORD_BYTES;
  if (!shadow)
    return;
  if (end > (int64_t)(shadow->count * LINE_WORDS))
    end = (int64_t)(shadow->count * LINE_WORDS);
  for (int64_t i = first; i < end; i++) {
    Line *line = &shadow->lines[i / LINE_WORDS];
    uint32_t bit = UINT32_C(1) << i % LINE_WORDS;
    line->written &= ~bit;
    line->was_read &= ~bit;
    if (line->phase == PHASE_SPLIT)
      empty_word(&shadow->words[i]);
  }
}

static uint64_t variables(void) { return machine.run->code->variables.count; }

void shadow_forget(Group *group) {
  for (size_t i = 0; i < variables(); i++)
    empty_shadow(group->shadow[i]);
}

void shadow_close_group(Group *group) {
  for (size_t i = 0; i < variables(); i++)
    free_shadow(&group->shadow[i]);
}

void shadow_close(void) {
  const Memory *memory = machine.memory;
  for (unsigned i = 0; memory && i < memory->count; i++)
    free_shadow(&memory->regions[i].shadow);
  pool_close(&cells);
  pool_close(&deeds);
}

static const Shadow *shadow_of(Region *region) {
  Shadow **shadow = &region->shadow;
  const Group *owner = machine.owner ? machine.owner : machine.self->group;
  if (region->space == SPACE_SHARED)
    shadow = &owner->shadow[(size_t)region->array - machine.run->buffers.count];
  if (!*shadow)
    *shadow = new_shadow(region);
  return *shadow;
}

Word *shadow_words(Region *region) { return shadow_of(region)->words; }
Line *shadow_lines(Region *region) { return shadow_of(region)->lines; }
Mark *shadow_marks(Region *region) { return shadow_of(region)->marks; }

// ----------------------------------------------------------------- split ---

static void split(Line *line, Word *words) {
  unsigned width = line->phase / LANES, shift = line->phase % LANES;
  for (unsigned i = 0; i < LINE_WORDS; i++) {
    uint32_t lane = UINT32_C(1) << (((i >> width) - shift) & (LANES - 1));
    if (line->written >> i & 1)
      cell_add(&words[i].writes, line->write, lane);
    if (line->was_read >> i & 1)
      cell_add(&words[i].reads, line->read, lane);
  }
  deed_drop(line->read);
  deed_drop(line->write);
  *line = (Line){.phase = PHASE_SPLIT};
}

// Since the last barrier.  What its lists told before that is forgotten.
static void list_word(Mark *mark, Word *word) {
  if (mark->listed == machine.self->group->moment)
    return;
  empty_word(word);
  mark_list(mark, word);
}

Word *shadow_word(Region *region, int64_t index) {
  const Shadow *shadow = shadow_of(region);
  int64_t first = index & -LINE_WORDS;
  Line *line = &shadow->lines[first / LINE_WORDS];
  if (line->phase != PHASE_SPLIT)
    split(line, &shadow->words[first]);
  if (shadow->marks)
    list_word(&shadow->marks[index], &shadow->words[index]);
  return &shadow->words[index];
}
