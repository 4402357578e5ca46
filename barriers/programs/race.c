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
// A copy that is being made is ordered by its end, and whoever knows that may
// know nothing else of its lane; so the only thing it makes forgotten is an
// older copy of the same lane.  What initialises an mbarrier is remembered;
// its uses must know of it, and nobody else may touch its bytes until it ends.
//
// Only words that have a race are looked at a second time, by pairs.c.

#include "barriers/programs/check.h"

#include <assert.h>

typedef struct Search {
  FindingSet *findings;
  const Programs *programs;
  Check *check;
  WordShadow *shadow;
  Alike *alike;
  Words *racy;
  Words *live;      // of mbarriers
  bool is_of_warps; // the order
  Mbarriers mbarriers;
} Search;

static unsigned first_lane(uint32_t lanes) {
  return (unsigned)__builtin_ctz(lanes);
}

// Writes do not: another lane may write with the same command.
static bool repeats(const AccessMark *old, const AccessMark *new) {
  return old->warp == new->warp && old->time == new->time &&
         old->kind == new->kind && old->bytes == new->bytes &&
         !(new->lanes & ~old->lanes) && !is_writing(new->kind) &&
         !is_copying(new->kind);
}

static const Command *command_of(const Search *search, const AccessMark *mark) {
  return &search->programs->warps[mark->warp].at[mark->command];
}

// SOUND(proxy-fences)
static bool needs_another_fence(const Search *search, const Order *order,
                                const AccessMark *old, const AccessMark *new) {
  return is_bulk(new->kind) && !command_of(search, new)->is_generic &&
         (old->kind == COMMAND_WRITE || old->kind == COMMAND_ATOMIC ||
          old->kind == COMMAND_COPY) &&
         order_unfenced(order, old->warp, old->lanes, old->time, new->warp,
                        first_lane(new->lanes));
}

// SOUND(mbarrier-init)
static void note_assumption(const Search *search, const Order *order,
                            const AccessMark *old, const AccessMark *new) {
  if (needs_another_fence(search, order, old, new))
    search->check->assumes_fences = true;
  if (new->kind == COMMAND_BULK_COMPLETE &&
      !search->programs->warps[new->warp].at[new->command].is_generic &&
      order_unfenced(order, old->warp, old->lanes, old->time, new->warp,
                     first_lane(new->lanes)))
    search->check->assumes_inits = true;
}

// Others may write the same.
static bool writes_known(const Search *search, const AccessMark *mark) {
  return mark->kind == COMMAND_WRITE && command_of(search, mark)->value;
}

// All lanes of `old` have happened before; false says nothing.
static bool is_past(const Search *search, const Order *order,
                    const AccessMark *old, const AccessMark *new) {
  return search->is_of_warps &&
         old->time <= order_known(order, old->warp, new->warp);
}

static bool is_racing(const Search *search, const Order *order,
                      const AccessMark *old, const AccessMark *new) {
  if (!marks_conflict(old, new) || is_past(search, order, old, new))
    return false;
  note_assumption(search, order, old, new);
  for (uint32_t left = new->lanes; left; left &= left - 1) {
    if (marks_racing(search->programs, order, old, new, first_lane(left)))
      return true;
    if (old->warp != new->warp && search->is_of_warps &&
        !writes_known(search, new))
      return false; // the lanes of `new` know the same
  }
  return false;
}

static bool can_cover(const AccessMark *old, const AccessMark *new) {
  if (old->bytes & ~new->bytes || is_mbarrier(old->kind) || is_bulk(new->kind))
    return false;
  if (new->kind == COMMAND_COPY)
    return old->kind == COMMAND_COPY && old->warp == new->warp;
  return new->kind == COMMAND_WRITE || new->kind == old->kind;
}

// Nobody can race with it any more.
static bool is_known_to_all(const Search *search, const Order *order,
                            const AccessMark *old) {
  for (unsigned warp = 0; warp < programs_warps(search->programs); warp++) {
    uint32_t lanes = warp_lanes(search->programs, warp);
    for (; lanes; lanes &= lanes - 1) {
      if (order_unordered(order, old->warp, old->lanes, old->time, warp,
                          first_lane(lanes)))
        return false;
      if (search->is_of_warps && warp != old->warp)
        break;
    }
  }
  return true;
}

// Takes those lanes off `old` that `new` speaks for; true if none is left.  It
// does not for somebody who writes the same as `new`, and races with `old`.
static bool is_covered(const Search *search, const Order *order,
                       AccessMark *old, const AccessMark *new) {
  if (!can_cover(old, new))
    return false;
  if (writes_known(search, new))
    return !is_copying(old->kind) && is_known_to_all(search, order, old);
  if (old->warp == new->warp && !is_bulk(old->kind))
    old->lanes &= ~new->lanes;
  if (!old->lanes)
    return true;
  return new->kind != COMMAND_COPY &&
         (is_past(search, order, old, new) ||
          !marks_unordered(order, old, new, first_lane(new->lanes)));
}

static bool can_share(const AccessMark *old, const AccessMark *new) {
  return old->warp == new->warp && old->time == new->time &&
         old->kind == new->kind && old->bytes == new->bytes &&
         ((!is_writing(new->kind) && !is_copying(new->kind)) ||
          old->command == new->command);
}

// The write of several lanes to one address, against itself.
static bool races_alone(const Search *search, const AccessMark *mark) {
  const Command *command = command_of(search, mark);
  return is_writing(mark->kind) && mark->lanes & (mark->lanes - 1) &&
         !(mark->kind == COMMAND_WRITE && command->same_value);
}

static void give_up_word(Search *search, uint32_t word) {
  search->racy->bits[word / 64] |= (uint64_t)1 << word % 64;
  while (search->shadow->words[word])
    shadow_remove(search->shadow, &search->shadow->words[word]);
}

// Compares the mark with the older ones; false if it needs not be left.
static bool is_news(Search *search, const Order *order, uint32_t word,
                    const AccessMark *mark) {
  bool races = races_alone(search, mark);
  for (const AccessMark *old = search->shadow->words[word]; old && !races;
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

static const AccessMark *mark_at(AccessMark *mark, const Touch *touch) {
  mark->lanes = touch->lanes;
  mark->bytes = touch->bytes;
  return mark;
}

static void leave(Search *search, const Order *order, uint32_t word,
                  const AccessMark *mark) {
  AccessMark *shared = NULL;
  assert(mark->lanes && mark->bytes);
  for (AccessMark **link = &search->shadow->words[word]; *link;) {
    AccessMark *old = *link;
    if (can_share(old, mark))
      shared = old;
    else if (is_covered(search, order, old, mark)) {
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

// ------------------------------------------------------------- mbarriers ---

static void note_life(Search *search, unsigned warp, uint32_t at) {
  const Command *command = &search->programs->warps[warp].at[at];
  ProgramMbarrier *mbarrier =
      mbarriers_find(&search->mbarriers, command->address);
  mbarrier->state.is_live = command->kind == COMMAND_MBARRIER_INIT;
  if (mbarrier->state.is_live)
    mbarrier->init = end_of(search->programs, warp, at);
  for (uint32_t word = command->address / WORD;
       word * WORD < command->address + MBARRIER_BYTES; word++) {
    uint64_t bit = (uint64_t)1 << word % 64;
    search->live->bits[word / 64] &= ~bit;
    if (mbarrier->state.is_live)
      search->live->bits[word / 64] |= bit;
  }
}

static const ProgramMbarrier *mbarrier_at(const Search *search, uint32_t word) {
  for (size_t i = 0; i < search->mbarriers.count; i++) {
    const ProgramMbarrier *mbarrier = &search->mbarriers.at[i];
    if (mbarrier->state.is_live &&
        word * WORD < mbarrier->address + MBARRIER_BYTES &&
        mbarrier->address < (word + 1) * WORD)
      return mbarrier;
  }
  return NULL;
}

// Ordered behind its beginning, and nevertheless wrong.
static void find_overlap(Search *search, const AccessMark *mark, Marks marks) {
  while (marks_next(&marks)) {
    const ProgramMbarrier *mbarrier = words_has(search->live, marks.word)
                                          ? mbarrier_at(search, marks.word)
                                          : NULL;
    if (!mbarrier)
      continue;
    End end = end_of_lane(search->programs, mark->warp,
                          first_lane(marks.mark.lanes), mark->command);
    if (findings_are_unsure(search->findings, end, mbarrier->init)) {
      findings_doubt(search->findings, end, mbarrier->init);
      continue;
    }
    Finding *finding = findings_get(search->findings, FINDING_OVERLAP, 0, end,
                                    &mbarrier->init);
    if (!finding->occurrences++)
      finding->address = marks.word * WORD;
    finding->bytes = WORD;
  }
}

static void look_at_mbarriers(Search *search, const AccessMark *mark) {
  const Command *command =
      &search->programs->warps[mark->warp].at[mark->command];
  if (mark->kind == COMMAND_MBARRIER_INIT ||
      mark->kind == COMMAND_MBARRIER_INVAL)
    note_life(search, mark->warp, mark->command);
  else if (!is_use(mark->kind))
    find_overlap(search, mark, marks_start(search->programs, command));
}

// ------------------------------------------------------------------ walk ---

static void visit(void *data, const Order *order, unsigned warp, uint32_t at) {
  Search *search = data;
  const Command *command = &search->programs->warps[warp].at[at];
  AccessMark mark = mark_of(search->programs, order, warp, at);
  search->is_of_warps = order_is_of_warps(order);
  if (search->mbarriers.count)
    look_at_mbarriers(search, &mark);
  Touches touches = alike_touches(search->alike, command);
  for (size_t i = 0; may_overlap_itself(command) && i < touches.count; i++)
    if (!words_has(search->racy, touches.at[i].word))
      is_news(search, order, touches.at[i].word,
              mark_at(&mark, &touches.at[i]));
  for (size_t i = 0; i < touches.count; i++)
    if (!words_has(search->racy, touches.at[i].word) &&
        is_news(search, order, touches.at[i].word,
                mark_at(&mark, &touches.at[i])) &&
        !is_use(mark.kind))
      leave(search, order, touches.at[i].word, &mark);
}

// Those that are like a word with a race have one, too.
static void spread(Search *search) {
  for (uint32_t word = 0; word < programs_words(search->programs); word++)
    if (words_has(search->racy, alike_word(search->alike, word)))
      search->racy->bits[word / 64] |= (uint64_t)1 << word % 64;
}

static bool is_empty(const Search *search, const Words *words) {
  for (size_t i = 0; i < programs_words(search->programs) / 64; i++)
    if (words->bits[i])
      return false;
  return true;
}

void find_races(FindingSet *findings, const Trace *trace) {
  Task *task = findings->task;
  Search search = {.findings = findings,
                   .programs = findings->programs,
                   .check = findings->check,
                   .shadow = shadow_new(task, findings->programs),
                   .alike = alike_new(task, findings->programs, false),
                   .racy = NEW(&task->arena, Words),
                   .live = NEW(&task->arena, Words),
                   .mbarriers = mbarriers_of(task, findings->programs)};
  order_walk(task, findings->programs, trace, visit, &search);
  if (is_empty(&search, search.racy))
    return;
  spread(&search);
  // Only in lock step it makes a difference how many lanes there are.
  if (search.programs->lock_step)
    search.alike = alike_new(task, findings->programs, true);
  count_races(findings, trace, search.racy, search.alike);
}
