// The common cases of a weak access, done quickly.
//
// A site accesses the same array again and again, and lanes of a warp access it
// one after another.  So each site has a spot, which knows the array, its
// shadow, and the deeds of the running warp.  With these an access is quick if
// it is aligned, lies in the array, and meets
//
//   a line of which each word is left to one lane, none of it accessed by
//   others than this lane that are not in the past: a bit is set;
//   a word that enough others have read (shadow.c): nothing is done;
//   a word of shared memory that only marks tell of (marks.c);
//   a word that this warp has accessed at this site: a lane is added;
//   a word with one cell of each kind at most, in the past: it is replaced.
//
// "In the past" are accesses of the thread itself, of its block before a
// barrier, and of the grid before a barrier of the grid.  All other accesses go
// to regions.c and races.c, and so does every access while a race waits to be
// reported: then no deed counts as current, and no word as read enough.  The
// result is what races.c would keep, except that older reads may stay in place
// of newer ones that need not be kept.  As there, a write that may be excused
// from a race leaves reads in place.

#include "runtime/machine/races.h"

#include <stdlib.h>
#include <string.h>

enum { WIDEST = 16 };

BlockTurn turn;

static const uint64_t none = UINT64_MAX; // no moment, era or stay
static const BlockTurn no_turn = {UINT64_MAX, UINT64_MAX, MARKS_BARRED,
                                  UINT64_MAX, 0};
static uint64_t stays;
static const Group *last_group;
static bool is_barred;

static Spot *spots(void) { return machine.image->spots; }

Spot *spots_make(const Code *code) {
  return calloc(code->sites.count + 1, sizeof(Spot));
}

Spot *spot_at(Spot *spots, uint32_t site) { return &spots[site]; }

void spots_close(void) {
  size_t count = machine.run->code->sites.count;
  if (spots())
    memset(spots(), 0, count * sizeof(Spot));
  last_group = NULL;
  turn = no_turn;
  is_barred = false;
}

// ------------------------------------------------------------------ turns ---

// Shared arrays lie where they did, and their shadow is another.
static void leave_block(void) {
  for (size_t i = 0; i < machine.run->code->sites.count; i++) {
    Spot *spot = &spots()[i];
    if (spot->is_shared)
      spot->limit = spot->index_limit = spot->word_limit = spot->mark_limit = 0;
  }
}

static uint32_t own_warp(const Thread *self) {
  return self->index & ~(uint32_t)(LANES - 1);
}

static uint32_t own_lane(const Thread *self) {
  return UINT32_C(1) << self->index % LANES;
}

void races_turn(const Thread *thread) {
  const Group *group = thread->group;
  if (turn.moment == group->moment && turn.warp == own_warp(thread) &&
      !traits.has_ticks && !thread->quiet)
    return;
  if (group != last_group)
    leave_block();
  last_group = group;
  turn = is_barred || thread->quiet
             ? no_turn
             : (BlockTurn){group->moment, machine.era, mark_base(group->moment),
                           ++stays, own_warp(thread)};
}

void spots_bar(bool bars) {
  is_barred = bars;
  turn = no_turn;
  if (machine.self)
    races_turn(machine.self);
}

static bool is_quick(uint64_t bytes) {
  return bytes && bytes <= WIDEST && !(bytes & (bytes - 1));
}

// ----------------------------------------------------------------- deeds ---

Deed **spot_deed(uint32_t site, int64_t offset, uint64_t bytes) {
  return is_quick(bytes) && !(offset & (int64_t)(bytes - 1))
             ? &spots()[site].deeds[offset & (WORD_BYTES - 1)]
             : NULL;
}

static bool is_now(const Deed *deed, const Thread *self) {
  return deed && deed->moment == turn.moment &&
         deed->first.thread == own_warp(self) &&
         deed->first.tick == self->clock[self->index % LANES];
}

// NULL: each access has to be looked at.
static Deed *new_deed(Deed **kept, uint32_t site, uint64_t offset,
                      uint64_t bytes, bool writes) {
  if (turn.moment == none)
    return NULL;
  Deed what = {.bytes = bytes,
               .offset = (int64_t)(offset % WORD_BYTES),
               .start = bytes < WORD_BYTES ? START_WITHIN : START_ALIGNED,
               .site = site,
               .writes = writes};
  return deed_here(kept, &what);
}

// The same lane of its warp, then or now.
static bool is_past(const Deed *deed, const Thread *self) {
  if (deed->moment == turn.moment)
    return deed->first.thread == own_warp(self);
  return deed->first.block == self->group->index ||
         (deed->first.epoch != machine.grid_epoch &&
          !point_is_copy(&deed->first));
}

static bool is_past_cell(const Cell *cell, const Thread *self) {
  return is_past(cell->deed, self) &&
         (cell->deed->moment != turn.moment || cell->lanes == own_lane(self));
}

static void replace_deed(Deed **place, Deed *deed) {
  deed_hold(deed);
  deed_drop(*place);
  *place = deed;
}

// ----------------------------------------------------------------- lines ---

static bool has_phase(Line *line, uint32_t phase) {
  if (line->phase == phase)
    return true;
  if (line->written | line->was_read)
    return false;
  line->phase = phase;
  return true;
}

static bool read_line(Line *line, uint32_t words, Deed *deed,
                      const Thread *self) {
  if (line->written & words && !is_past(line->write, self))
    return false;
  if (line->read != deed) {
    if (line->was_read &&
        (line->was_read & ~words || !is_past(line->read, self)))
      return false;
    replace_deed(&line->read, deed);
  }
  line->was_read |= words;
  return true;
}

static bool write_line(Line *line, uint32_t words, Deed *deed,
                       const Thread *self) {
  if (line->was_read & words && !is_past(line->read, self))
    return false;
  if (line->written & words && !is_past(line->write, self))
    return false;
  if (line->write != deed) {
    if (line->written & ~words)
      return false;
    replace_deed(&line->write, deed);
  }
  line->written |= words;
  if (!machine.run->tolerates_same_value)
    line->was_read &= ~words;
  return true;
}

// ----------------------------------------------------------------- words ---

static uint8_t mask_in_word(const Deed *deed) {
  bool is_whole = deed->start == START_ALIGNED;
  unsigned bytes = is_whole ? WORD_BYTES : (unsigned)deed->bytes;
  return (uint8_t)(((1u << bytes) - 1) << (is_whole ? 0 : deed->offset));
}

// By what is a deed of now, aligned as all that is quick.
static bool can_replace(const Cell *cell, const Deed *deed,
                        const Thread *self) {
  return !cell->next && !cell->deed->is_strong &&
         cell->deed->start != START_FIXED &&
         !(mask_in_word(cell->deed) & ~mask_in_word(deed)) &&
         is_past_cell(cell, self);
}

static void replace_cell(Cell *cell, Deed *deed, const Thread *self) {
  replace_deed(&cell->deed, deed);
  cell->lanes = own_lane(self);
}

// Two lanes have read it since the last barrier, and nobody has written it.
static bool is_read_enough(const Word *word) {
  const Cell *read = word->reads;
  return (read->lanes & (read->lanes - 1)) && !traits.has_order &&
         !machine.run->code->has_warp_sync &&
         read->deed->start == START_ALIGNED &&
         (!word->writes || word->writes->deed->moment != turn.moment);
}

static bool read_word(Word *word, Deed *deed, const Thread *self) {
  Cell *read = word->reads;
  uint32_t lane = own_lane(self);
  if (read && read->deed == deed && read->lanes & lane)
    return true;
  if (word->writes && (word->writes->next || !is_past_cell(word->writes, self)))
    return false;
  if (!read)
    cell_add(&word->reads, deed, lane);
  else if (read->deed == deed)
    read->lanes |= lane;
  else if (can_replace(read, deed, self))
    replace_cell(read, deed, self);
  else
    return false;
  if (is_read_enough(word))
    word->enough = turn.moment;
  return true;
}

// By this thread; what was excused before may not be so now.
static bool is_written(const Cell *write, const Deed *deed,
                       const Thread *self) {
  uint32_t lane = own_lane(self);
  if (!write || write->deed != deed || !(write->lanes & lane))
    return false;
  return !machine.run->tolerates_same_value ||
         (!write->next && write->lanes == lane);
}

// Where enough others have read the word, there is no one cell to replace.
static bool write_word(Word *word, Deed *deed, const Thread *self) {
  Cell *read = word->reads, *write = word->writes;
  if (is_written(write, deed, self))
    return true;
  if (word->locations || (read && !can_replace(read, deed, self)) ||
      (write && !can_replace(write, deed, self)))
    return false;
  if (write)
    replace_cell(write, deed, self);
  else
    cell_add(&word->writes, deed, own_lane(self));
  if (read && !machine.run->tolerates_same_value) {
    cell_give(read);
    word->reads = NULL;
  }
  return true;
}

// ---------------------------------------------------------------- access ---

static bool is_enough(const Word *word) {
  return word->enough == turn.moment || word->enough == turn.era;
}

static bool access_words(Word *word, uint64_t bytes, Deed *deed, bool writes,
                         const Thread *self) {
  for (uint64_t i = 0; i * WORD_BYTES < bytes; i++)
    if (writes ? !write_word(&word[i], deed, self)
               : !is_enough(&word[i]) && !read_word(&word[i], deed, self))
      return false;
  return true;
}

static bool access_line(Line *line, unsigned word, uint64_t bytes, Deed *deed,
                        bool writes, const Thread *self) {
  unsigned width = (unsigned)__builtin_ctzll(bytes / WORD_BYTES);
  uint32_t words = ((UINT32_C(1) << bytes / WORD_BYTES) - 1) << word;
  if (!has_phase(line, line_phase(word, self->index % LANES, width)))
    return false;
  return writes ? write_line(line, words, deed, self)
                : read_line(line, words, deed, self);
}

static bool access_marks(const Spot *spot, uint64_t offset, uint64_t bytes,
                         uint32_t site, bool writes) {
  Mark *marks = &spot->marks[offset / WORD_BYTES];
  return bytes >= WORD_BYTES && turn.moment != none &&
         marks_access(marks, bytes, site, writes);
}

static bool is_listed(const Spot *spot, uint64_t offset, uint64_t bytes) {
  return marks_are_listed(&spot->marks[offset / WORD_BYTES],
                          (bytes + WORD_BYTES - 1) / WORD_BYTES);
}

static inline bool access(void *at, uint64_t bytes, uint32_t site,
                          bool writes) {
  Thread *self = machine.self;
  Spot *spot = &spots()[site];
  uint64_t offset = (uint64_t)((char *)at - spot->at);
  self->site = site;
  if (offset >= spot->limit || offset & spot->rest)
    return false;
  if (!spot->lines)
    return turn.moment != none;
  if (spot->marks) {
    if (access_marks(spot, offset, bytes, site, writes))
      return true;
    if (!is_listed(spot, offset, bytes))
      return false;
  }
  Line *line = &spot->lines[offset / LINE_BYTES];
  Word *word = &spot->words[offset / WORD_BYTES];
  bool is_split = line->phase == PHASE_SPLIT;
  if (!writes && bytes <= WORD_BYTES && is_split && is_enough(word))
    return true;
  Deed **kept = &spot->deeds[offset % WORD_BYTES], *deed = *kept;
  if (!is_now(deed, self) &&
      !(deed = new_deed(kept, site, offset, bytes, writes)))
    return false;
  if (kept == spot->deeds)
    spot->stay = turn.stay;
  if (is_split)
    return access_words(word, bytes, deed, writes, self);
  return bytes >= WORD_BYTES &&
         access_line(line, offset / WORD_BYTES % LINE_WORDS, bytes, deed,
                     writes, self);
}

bool spot_learn(const Region *region, uint64_t bytes, uint32_t site) {
  Spot *spot = &spots()[site];
  if (machine.run->max_steps || machine.needs_actors || region->touched ||
      region->heap || bytes > region->bytes)
    return false;
  spot->at = region->at;
  spot->limit = region->bytes - bytes + 1;
  unsigned alignment = machine.run->code->sites.at[site].alignment;
  bool is_aligned = alignment && !((uintptr_t)region->at & (alignment - 1));
  spot->index_limit =
      is_aligned ? (spot->limit + alignment - 1) / alignment : 0;
  return true;
}

bool spot_learn_races(Region *region, void *at, uint64_t bytes,
                      uint32_t number) {
  Spot *spot = &spots()[number];
  const Site *site = &machine.run->code->sites.at[number];
  bool is_constant = region->space == SPACE_CONSTANT;
  uint64_t words = is_constant ? 0 : region->bytes / WORD_BYTES;
  unsigned alignment = site->alignment > bytes ? site->alignment : 1;
  if (spot_hook(site) == region_access || !is_quick(bytes) ||
      (uintptr_t)region->at & (alignment - 1) ||
      !spot_learn(region, bytes, number))
    return false;
  spot->rest = (bytes > alignment ? bytes : alignment) - 1;
  spot->is_shared = region->space == SPACE_SHARED;
  spot->marks = is_constant ? NULL : shadow_marks(region);
  if (alignment > 1) // more than code looks at by itself
    words = 0;
  spot->word_limit = spot->marks ? 0 : words;
  spot->mark_limit = spot->marks ? words : 0;
  spot->still_limit = spot->marks ? (uint32_t)spot->limit : 0;
  spot->lines = is_constant ? NULL : shadow_lines(region);
  spot->words = is_constant ? NULL : shadow_words(region);
  return access(at, bytes, number, site->kind == SITE_WRITE);
}

static void spot_read(void *at, uint64_t bytes, uint32_t site) {
  if (!access(at, bytes, site, false))
    region_check(at, bytes, site, SITE_READ);
}

static void spot_write(void *at, uint64_t bytes, uint32_t site) {
  if (!access(at, bytes, site, true))
    region_check(at, bytes, site, SITE_WRITE);
}

Hook *spot_hook(const Site *site) {
  if (site->is_volatile ||
      (site->kind != SITE_READ && site->kind != SITE_WRITE))
    return region_access;
  return site->kind == SITE_READ ? spot_read : spot_write;
}
