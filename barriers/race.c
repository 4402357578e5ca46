// Which words of shared memory two threads race for.
//
// An access is compared with the marks of its word, not with all accesses:
// what has happened before an access that conflicts with at least as much
// needs not be remembered, since whatever races with the forgotten one races
// with the newer one as well.  Without races a word has as many marks as there
// are warps that read it between two writes, mostly one (FastTrack, Flanagan
// and Freund 2009, with warps as threads and lanes as sets).  Reads of the same
// lanes with no barrier between leave one mark.
//
// Only words that have a race are looked at a second time, by pairs.c.

#include "barriers/check.h"

#include <assert.h>

typedef struct Search {
  const Programs *programs;
  Check *check;
  Shadow *shadow;
  Words *racy;
} Search;

bool words_has(const Words *words, uint32_t word) {
  return words->bits[word / 64] >> word % 64 & 1;
}

static unsigned first_lane(uint32_t lanes) {
  return (unsigned)__builtin_ctz(lanes);
}

// Writes do not: another lane may write with the same command.
static bool repeats(const Mark *old, const Mark *new) {
  return old->warp == new->warp && old->time == new->time &&
         old->kind == new->kind && old->bytes == new->bytes &&
         !(new->lanes & ~old->lanes) && new->kind != COMMAND_WRITE;
}

static bool is_racing(const Search *search, const Order *order, const Mark *old,
                      const Mark *new) {
  if (!marks_conflict(old, new))
    return false;
  for (uint32_t left = new->lanes; left; left &= left - 1) {
    if (marks_racing(search->programs, order, old, new, first_lane(left)))
      return true;
    if (old->warp != new->warp)
      return false; // the lanes of `new` know the same
  }
  return false;
}

// Takes those lanes off `old` that `new` speaks for; true if none is left.
static bool is_covered(const Order *order, Mark *old, const Mark *new) {
  if (old->bytes & ~new->bytes ||
      (new->kind != COMMAND_WRITE && new->kind != old->kind))
    return false;
  if (old->warp == new->warp)
    old->lanes &= ~new->lanes;
  return !order_unordered(order, old->warp, old->lanes, old->time, new->warp,
                          first_lane(new->lanes));
}

static bool can_share(const Mark *old, const Mark *new) {
  return old->warp == new->warp && old->time == new->time &&
         old->kind == new->kind && old->bytes == new->bytes &&
         (new->kind != COMMAND_WRITE || old->command == new->command);
}

// The write of several lanes to one address, against itself.
static bool races_alone(const Search *search, const Mark *mark) {
  return mark->kind == COMMAND_WRITE && mark->lanes & (mark->lanes - 1) &&
         !search->programs->warps[mark->warp].at[mark->command].same_value;
}

static void give_up_word(Search *search, uint32_t word) {
  search->racy->bits[word / 64] |= (uint64_t)1 << word % 64;
  while (search->shadow->words[word])
    shadow_remove(search->shadow, &search->shadow->words[word]);
}

// Compares the mark with the older ones; false if it needs not be left.
static bool is_news(Search *search, const Order *order, uint32_t word,
                    const Mark *mark) {
  bool races = races_alone(search, mark);
  for (const Mark *old = search->shadow->words[word]; old && !races;
       old = old->next) {
    search->check->pair_tests++;
    if (repeats(old, mark))
      return false;
    races = is_racing(search, order, old, mark);
  }
  if (races)
    give_up_word(search, word);
  return !races;
}

static void leave(Search *search, const Order *order, uint32_t word,
                  const Mark *mark) {
  Mark *shared = NULL;
  assert(mark->lanes && mark->bytes);
  for (Mark **link = &search->shadow->words[word]; *link;) {
    Mark *old = *link;
    if (can_share(old, mark))
      shared = old;
    else if (is_covered(order, old, mark)) {
      shadow_remove(search->shadow, link);
      continue;
    }
    link = &old->next;
  }
  if (shared)
    shared->lanes |= mark->lanes;
  else
    shadow_insert(search->shadow, word, mark);
}

static void visit(void *data, const Order *order, unsigned warp,
                  uint32_t command) {
  Search *search = data;
  Marks marks = marks_of(search->programs, order, warp, command);
  if (may_overlap_itself(marks.command))
    for (Marks ahead = marks; marks_next(&ahead);)
      if (!words_has(search->racy, ahead.word))
        is_news(search, order, ahead.word, &ahead.mark);
  while (marks_next(&marks))
    if (!words_has(search->racy, marks.word) &&
        is_news(search, order, marks.word, &marks.mark))
      leave(search, order, marks.word, &marks.mark);
}

static bool is_empty(const Words *words) {
  for (size_t i = 0; i < sizeof words->bits / sizeof *words->bits; i++)
    if (words->bits[i])
      return false;
  return true;
}

void find_races(Findings *findings, const Trace *trace) {
  Task *task = findings->task;
  Search search = {.programs = findings->programs,
                   .check = findings->check,
                   .shadow = shadow_new(task, findings->programs),
                   .racy = NEW(&task->arena, Words)};
  order_walk(task, findings->programs, trace, visit, &search);
  if (!is_empty(search.racy))
    count_races(findings, trace, search.racy);
}
