// Which places race, and for how many pairs of threads.
//
// Here the last access is remembered for each instruction, warp and shape of
// what it touches: if an older one races with a later access so does the last
// one, which happens behind the older one.  So every pair of places is found,
// and every pair of threads at them, without looking at all pairs of accesses.
//
// Words that are used alike (alike.c) are looked at once.  If two accesses race
// there, they do so in all words of the class, by the lanes that touch these;
// and once they have raced, with all their lanes, nothing is left to learn from
// the two, so a set of bits for each access says with which others that is so.

#include "barriers/programs/check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TESTS = 1 << 28, DONE_BYTES = 1 << 24, FIRST_SLOTS = 256 };

// The last of the accesses of a warp at a place that touch a word in one way.
typedef struct Access {
  AccessMark mark; // with the lanes of the word that stands for the others
  uint32_t word;   // ... this one
  uint32_t place;  // an instruction
  uint32_t shape;
  bool is_perhaps;
  uint32_t part;     // which of the touches of this word it is
  uint32_t before;   // the last part of the same command, plus one
  uint32_t values;   // Command.value of a write
  uint32_t index;    // block and bit, in its class
  uint32_t sequence; // when it was made
  uint64_t hash;     // of the command
  uint32_t done_blocks;
  uint32_t *done; // with which others, by index
} Access;

// Two accesses that race in the words of a class.
typedef struct ReplayEvent {
  AccessMark old, new;
  uint32_t word;
  uint32_t sequence; // of the old one
  uint32_t old_part, new_part;
  uint32_t lanes; // of the old one
  unsigned lane;  // of the new one
  bool lacks_fence, is_recorded;
} ReplayEvent;

enum { BLOCK = 32 };

// Some of the accesses of a warp to the words of a class.
typedef struct Block {
  uint32_t warp, count;
  uint32_t latest;   // of the times,
  uint32_t previous; // those that are less are no more than this one,
  uint32_t recent;   // and a set of the others
  uint32_t accesses[BLOCK];
  uint32_t times[BLOCK]; // 0: not made yet
} Block;

typedef struct Class {
  Vec(Block) blocks;
} Class;

typedef struct Seen {
  Touch touch;
  uint32_t next;   // of the same word: an index into seen, plus one
  uint32_t stands; // for this one a class stands; NO_WORD: a touch of a word
                   // that has been there
  uint32_t other;  // the next one for which this stands, plus one
} Seen;

// Where a command touches words, by word.
typedef struct View {
  const Command *command;
  uint32_t *first; // by word: an index into seen, plus one
  uint32_t *stood; // by word: the first for which it stands, plus one
  Vec(Seen) seen;
} View;

// Touches of a word by the command that is looked at.
typedef struct Part {
  uint32_t count;
  uint32_t last; // of the accesses, plus one
} Part;

enum { NO_WORD = INT32_MAX };

// Up to which time of another warp everything has happened before.
typedef struct Past {
  uint32_t number; // of the command for which it was asked
  uint32_t known;
} Past;

typedef struct Count {
  const Order *order; // at this access
  uint32_t number;    // of this access
  Past pasts[MOST_WARPS];
  FindingSet *findings;
  const Programs *programs;
  const Words *racy;
  Alike *alike;
  Tally *tally;
  Vec(Access) accesses;
  uint32_t *slots; // open addressing: an index into accesses, plus one
  size_t slot_count, done_bytes;
  uint32_t *class_of; // by word: an index into classes, plus one
  Vec(Class) classes;
  Part *parts;             // by word
  Vec(ReplayEvent) events; // of this command
  Vec(uint64_t) keys;      // those that are left, in order
  size_t first_event;      // ... at this word
  View new, old;           // of the two commands
  uint64_t tests;
  uint32_t sequence;
} Count;

static Arena *arena_of(const Count *count) {
  return &count->findings->task->arena;
}

// ----------------------------------------------------------------- views ---

static View view_new(Task *task, size_t words) {
  return (View){.first = arena_alloc(&task->arena, words * sizeof(uint32_t)),
                .stood = arena_alloc(&task->arena, words * sizeof(uint32_t))};
}

static void view_clear(View *view) {
  for (size_t i = 0; i < view->seen.count; i++) {
    const Seen *seen = &view->seen.at[i];
    view->first[seen->touch.word] = 0;
    if (seen->stands != NO_WORD)
      view->stood[seen->stands] = 0;
  }
  view->seen.count = 0;
}

static void view_link(View *view) {
  for (size_t i = view->seen.count; i-- > 0;) {
    Seen *seen = &view->seen.at[i];
    if (seen->stands == NO_WORD)
      continue;
    seen->other = view->stood[seen->stands];
    view->stood[seen->stands] = (uint32_t)i + 1;
  }
}

// Lists of a word are in the order of the lanes.
static void view_add(const Count *count, View *view, Touch touch) {
  uint32_t *link = &view->first[touch.word];
  Seen seen = {touch, .stands = *link ? NO_WORD
                                      : alike_word(count->alike, touch.word)};
  while (*link)
    link = &view->seen.at[*link - 1].next;
  *link = (uint32_t)view->seen.count + 1;
  push(arena_of(count), &view->seen, seen);
}

static void view_fill(const Count *count, View *view, const Command *command) {
  view_clear(view);
  view->command = command;
  for (Marks marks = marks_start(count->programs, command); marks_next(&marks);)
    view_add(count, view,
             (Touch){marks.word, marks.mark.lanes, marks.mark.bytes});
  view_link(view);
}

static const Touch *view_part(const View *view, uint32_t word, uint32_t part) {
  uint32_t at = view->first[word];
  while (part--)
    at = view->seen.at[at - 1].next;
  return &view->seen.at[at - 1].touch;
}

// Lanes in one word of a class, given those in another one: several that touch
// it together are the same in both.
static uint32_t translate(uint32_t lanes, uint32_t from, uint32_t to) {
  return from & (from - 1) ? lanes : to;
}

// -------------------------------------------------------------- accesses ---

// What all touches of a command have in common.
static uint64_t hash_of_command(const Access *access) {
  uint64_t hash = hash_mix(access->place, access->mark.warp);
  return hash_mix(hash, (uint64_t)access->values << 32 | access->shape);
}

static size_t hash_of(const Access *access) {
  uint64_t hash =
      hash_mix(access->hash, (uint64_t)access->word << 32 | access->part);
  return (size_t)(hash ^ hash >> 32);
}

static bool is_same(const Access *a, const Access *b) {
  return a->word == b->word && a->place == b->place && a->shape == b->shape &&
         a->is_perhaps == b->is_perhaps && a->part == b->part &&
         a->values == b->values && a->mark.warp == b->mark.warp &&
         a->mark.lanes == b->mark.lanes && a->mark.bytes == b->mark.bytes &&
         a->mark.kind == b->mark.kind;
}

static uint32_t *find_slot(const Count *count, const Access *access) {
  size_t mask = count->slot_count - 1, i = hash_of(access) & mask;
  while (count->slots[i] &&
         !is_same(&count->accesses.at[count->slots[i] - 1], access))
    i = (i + 1) & mask;
  return &count->slots[i];
}

static void make_room(Count *count) {
  if (2 * count->accesses.count < count->slot_count)
    return;
  count->slot_count = count->slot_count ? 2 * count->slot_count : FIRST_SLOTS;
  count->slots =
      arena_alloc(arena_of(count), count->slot_count * sizeof(uint32_t));
  for (size_t i = 0; i < count->accesses.count; i++)
    *find_slot(count, &count->accesses.at[i]) = (uint32_t)i + 1;
}

static Class *class_of(Count *count, uint32_t word) {
  if (!count->class_of[word]) {
    push(arena_of(count), &count->classes, ((Class){0}));
    count->class_of[word] = (uint32_t)count->classes.count;
  }
  return &count->classes.at[count->class_of[word] - 1];
}

// A block of that warp with room.
static uint32_t block_of(Count *count, Class *class, uint32_t warp) {
  for (uint32_t i = 0; i < class->blocks.count; i++)
    if (class->blocks.at[i].warp == warp && class->blocks.at[i].count < BLOCK)
      return i;
  push(arena_of(count), &class->blocks, ((Block){.warp = warp}));
  return (uint32_t)class->blocks.count - 1;
}

// The one that this one replaces, or this one, which was never made.
static Access *enter(Count *count, Class *class, const Access *new) {
  make_room(count);
  uint32_t *slot = find_slot(count, new);
  if (!*slot) {
    uint32_t number = block_of(count, class, new->mark.warp);
    Block *block = &class->blocks.at[number];
    push_moving(arena_of(count), &count->accesses, *new);
    *slot = (uint32_t)count->accesses.count;
    count->accesses.at[*slot - 1].index = number * BLOCK + block->count;
    block->accesses[block->count++] = *slot - 1;
  }
  return &count->accesses.at[*slot - 1];
}

// Nothing that is not known of `old`.  A write may race with others of its own
// command alone, so it is news if several lanes share its mark, and in lock
// step, where older commands say nothing about that.
static bool repeats(const Count *count, const AccessMark *old,
                    const AccessMark *new) {
  bool is_alone = !(new->lanes & (new->lanes - 1));
  return old->time == new->time && !is_bulk(new->kind) &&
         (!is_writing(new->kind) || (new->kind == COMMAND_WRITE && is_alone &&
                                     !count->programs->lock_step));
}

// ---------------------------------------------------------------- compare ---

static void set_done(Count *count, Access *access, uint32_t index) {
  uint32_t blocks = index / BLOCK + 1;
  if (blocks > access->done_blocks) {
    size_t bytes = 2 * blocks * sizeof(uint32_t);
    if (count->done_bytes + bytes > DONE_BYTES)
      return;
    count->done_bytes += bytes;
    uint32_t *done = arena_alloc(arena_of(count), bytes);
    if (access->done)
      memcpy(done, access->done, access->done_blocks * sizeof *done);
    access->done = done;
    access->done_blocks = 2 * blocks;
  }
  access->done[index / BLOCK] |= (uint32_t)1 << index % BLOCK;
}

static bool is_same_command(const AccessMark *a, const AccessMark *b) {
  return a->warp == b->warp && a->command == b->command;
}

// Have all lanes of both raced, and would they each time?  A lane races with
// itself only if the old access is a copy.
static bool is_all(const AccessMark *old, const AccessMark *new,
                   uint32_t racing, unsigned lane) {
  uint32_t others = old->lanes;
  if (old->warp == new->warp && !is_copying(old->kind))
    others &= ~((uint32_t)1 << lane);
  return racing == others && !is_bulk(old->kind) && !is_bulk(new->kind) &&
         !is_same_command(old, new);
}

// Those with the latest access come first, and of one command the lowest lanes.
static bool is_before(const ReplayEvent *a, const ReplayEvent *b) {
  return a->sequence != b->sequence ? a->sequence > b->sequence
                                    : a->old_part < b->old_part;
}

static void note(Count *count, const Access *old, const Access *new,
                 uint32_t lanes, unsigned lane) {
  ReplayEvent event = {.old = old->mark,
                       .new = new->mark,
                       .word = new->word,
                       .sequence = old->sequence,
                       .old_part = old->part,
                       .new_part = new->part,
                       .lanes = lanes,
                       .lane = lane,
                       .lacks_fence = marks_lack_fence(
                           count->findings->task, count->programs, count->order,
                           &old->mark, &new->mark, lane)};
  push(arena_of(count), &count->events, event);
  size_t i = count->events.count - 1;
  for (; i > count->first_event && is_before(&event, &count->events.at[i - 1]);
       i--)
    count->events.at[i] = count->events.at[i - 1];
  count->events.at[i] = event;
}

// Notes what races; true if nothing is left to learn from the two.
static bool test(Count *count, const Access *old, const Access *new) {
  bool is_whole = true;
  count->tests++;
  if (!marks_conflict(&old->mark, &new->mark))
    return !is_same_command(&old->mark, &new->mark);
  for (uint32_t left = new->mark.lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    uint32_t racing = marks_racing(count->programs, count->order, &old->mark,
                                   &new->mark, lane);
    is_whole &= is_all(&old->mark, &new->mark, racing, lane);
    if (racing)
      note(count, old, new, racing, lane);
    else if (old->mark.warp != new->mark.warp && !new->values &&
             order_is_of_warps(count->order))
      return false;
  }
  return is_whole;
}

static uint32_t past_of(Count *count, unsigned of, unsigned warp) {
  Past *past = &count->pasts[of];
  if (past->number != count->number)
    *past = (Past){count->number, order_known(count->order, of, warp)};
  return past->known;
}

// `known`: what is done of this kind of access.
static void compare(Count *count, const Class *class, Access *known,
                    const Access *new) {
  count->first_event = count->events.count;
  for (uint32_t i = 0; i < class->blocks.count; i++) {
    const Block *block = &class->blocks.at[i];
    uint32_t left = UINT32_MAX >> (BLOCK - block->count);
    if (i < known->done_blocks)
      left &= ~known->done[i];
    uint32_t over = past_of(count, block->warp, new->mark.warp);
    if (block->latest <= over)
      continue;
    if (block->previous <= over)
      left &= block->recent;
    for (; left; left &= left - 1) {
      unsigned k = (unsigned)__builtin_ctz(left);
      if (block->times[k] > over &&
          test(count, &count->accesses.at[block->accesses[k]], new))
        set_done(count, known, i * BLOCK + k);
    }
  }
  count->tests += class->blocks.count;
  if (new->mark.lanes & (new->mark.lanes - 1))
    test(count, new, new);
}

// Lanes of one command that touch the same bytes were there at one time.
static uint32_t sequence_of(Count *count, const Access *new) {
  for (uint32_t at = new->before; at;) {
    const Access *other = &count->accesses.at[at - 1];
    if (!is_same_command(&other->mark, &new->mark))
      break;
    if (other->mark.bytes == new->mark.bytes)
      return other->sequence;
    at = other->before;
  }
  return ++count->sequence;
}

static void note_time(Block *block, uint32_t index, uint32_t time) {
  uint32_t bit = (uint32_t)1 << index;
  block->times[index] = time;
  if (block->latest < time) {
    block->previous = block->latest;
    block->latest = time;
    block->recent = 0;
  }
  block->recent &= ~bit;
  if (block->latest == time)
    block->recent |= bit;
  else if (block->previous < time)
    block->previous = time;
}

static void leave(Count *count, const Class *class, Access *known,
                  const Access *new) {
  known->sequence = sequence_of(count, new);
  known->mark = new->mark;
  known->before = new->before;
  uint32_t time = is_copying(new->mark.kind) ? UINT32_MAX : new->mark.time;
  note_time(&class->blocks.at[known->index / BLOCK], known->index % BLOCK,
            time);
}

static void look(Count *count, const Access *new, bool is_ahead) {
  Class *class = class_of(count, new->word);
  Access *known = enter(count, class, new);
  if (is_ahead) {
    compare(count, class, known, new);
    return;
  }
  if (known->sequence && repeats(count, &known->mark, &new->mark))
    return;
  compare(count, class, known, new);
  if (is_use(new->mark.kind))
    return;
  leave(count, class, known, new);
  count->parts[new->word].last = (uint32_t)(known - count->accesses.at) + 1;
}

// ----------------------------------------------------------------- record ---

static void record_at(Count *count, const ReplayEvent *event, uint32_t word) {
  const Touch *from = view_part(&count->new, event->word, event->new_part);
  const Touch *to = view_part(&count->new, word, event->new_part);
  uint32_t lane = translate((uint32_t)1 << event->lane, from->lanes, to->lanes);
  from = view_part(&count->old, event->word, event->old_part);
  to = view_part(&count->old, word, event->old_part);
  tally_add(count->tally, &event->old,
            translate(event->lanes, from->lanes, to->lanes), &event->new,
            (unsigned)__builtin_ctz(lane), event->lacks_fence);
}

// In all words of the class.
static void record(Count *count, const ReplayEvent *event) {
  const Command *old =
      &count->programs->warps[event->old.warp].at[event->old.command];
  if (count->old.command != old)
    view_fill(count, &count->old, old);
  const View *view = &count->new;
  for (uint32_t i = view->stood[event->word]; i; i = view->seen.at[i - 1].other)
    record_at(count, event, view->seen.at[i - 1].touch.word);
}

static bool is_news(const Count *count, const ReplayEvent *event) {
  return !tally_knows(count->tally, &event->old, &event->new,
                      event->lacks_fence);
}

// From *first on; what is no news now never will be.
static bool has_news(const Count *count, size_t *first) {
  while (*first < count->events.count &&
         !is_news(count, &count->events.at[*first]))
    ++*first;
  return *first < count->events.count;
}

// Those with new findings first, as these have the order in which the command
// touches the words.
static void record_new(Count *count, uint32_t word) {
  for (size_t i = 0; i < count->events.count; i++) {
    ReplayEvent *event = &count->events.at[i];
    if (event->word != word || event->is_recorded)
      continue;
    event->is_recorded = is_news(count, event);
    if (event->is_recorded)
      record(count, event);
  }
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static uint64_t old_command(const ReplayEvent *event) {
  return (uint64_t)event->old.warp << 32 | event->old.command;
}

// By the old command, and then as they are.
static void sort_events(Count *count) {
  enum { INDEX_BITS = 24 };
  count->keys.count = 0;
  for (size_t i = 0; i < count->events.count; i++) {
    const ReplayEvent *event = &count->events.at[i];
    assert(i >> INDEX_BITS == 0);
    if (!event->is_recorded)
      push(arena_of(count), &count->keys, old_command(event) << INDEX_BITS | i);
  }
  if (count->keys.count)
    qsort(count->keys.at, count->keys.count, sizeof *count->keys.at, by_number);
  for (size_t i = 0; i < count->keys.count; i++)
    count->keys.at[i] &= ((uint64_t)1 << INDEX_BITS) - 1;
}

// The first of those with the least old command; NULL: none is left.
static ReplayEvent *find_least(const Count *count) {
  ReplayEvent *least = NULL;
  for (size_t i = 0; i < count->events.count; i++) {
    ReplayEvent *event = &count->events.at[i];
    if (!event->is_recorded &&
        (!least || old_command(event) < old_command(least)))
      least = event;
  }
  return least;
}

// The same of a few, without sorting.
static void record_few(Count *count) {
  ReplayEvent *end = count->events.at + count->events.count;
  for (ReplayEvent *least; (least = find_least(count));) {
    uint64_t command = old_command(least);
    for (ReplayEvent *event = least; event < end; event++)
      if (!event->is_recorded && old_command(event) == command) {
        record(count, event);
        event->is_recorded = true;
      }
  }
}

static void record_sorted(Count *count) {
  sort_events(count);
  for (size_t i = 0; i < count->keys.count; i++)
    record(count, &count->events.at[count->keys.at[i]]);
}

static void record_all(Count *count, const Command *command) {
  enum { FEW = 128 };
  if (!count->events.count)
    return;
  view_fill(count, &count->new, command);
  size_t news = 0;
  for (size_t i = 0; i < count->new.seen.count && has_news(count, &news); i++)
    if (count->new.seen.at[i].stands != NO_WORD)
      record_new(count, count->new.seen.at[i].stands);
  if (count->events.count <= FEW)
    record_few(count);
  else
    record_sorted(count);
  count->events.count = 0;
}

// ------------------------------------------------------------------- walk ---

static void look_at(Count *count, const AccessMark *mark,
                    const Touches *touches, bool is_ahead) {
  const Command *command =
      &count->programs->warps[mark->warp].at[mark->command];
  for (size_t i = 0; i < touches->count; i++)
    count->parts[touches->at[i].word] = (Part){0};
  Access new = {.mark = *mark,
                .place = command->place,
                .shape = touches->shape,
                .is_perhaps = command->is_perhaps,
                .values = mark->kind == COMMAND_WRITE ? command->value : 0};
  new.hash = hash_of_command(&new);
  for (size_t i = 0; i < touches->count; i++) {
    const Touch *touch = &touches->at[i];
    if (!words_has(count->racy, touch->word))
      continue;
    if (count->programs->needs_one_race && count->events.count)
      return;
    Part *part = &count->parts[touch->word];
    new.word = touch->word;
    new.part = part->count++;
    new.before = part->last;
    new.mark.lanes = touch->lanes;
    new.mark.bytes = touch->bytes;
    look(count, &new, is_ahead);
  }
}

static void visit(void *data, const Order *order, unsigned warp, uint32_t at) {
  Count *count = data;
  const Command *command = &count->programs->warps[warp].at[at];
  bool has_enough =
      count->programs->needs_one_race || count->tests > MOST_TESTS;
  if (has_enough && tally_has_any(count->tally)) {
    count->findings->check->stopped_counting = true;
    return;
  }
  count->order = order;
  count->number++;
  AccessMark mark = mark_of(count->programs, order, warp, at);
  Touches touches = alike_touches(count->alike, command);
  if (may_overlap_itself(command))
    look_at(count, &mark, &touches, true);
  look_at(count, &mark, &touches, false);
  record_all(count, command);
}

void count_races(FindingSet *findings, const Trace *trace, const Words *racy,
                 Alike *alike) {
  Task *task = findings->task;
  size_t words = programs_words(findings->programs);
  Count count = {.findings = findings,
                 .programs = findings->programs,
                 .racy = racy,
                 .alike = alike,
                 .tally = tally_new(findings),
                 .class_of =
                     arena_alloc(&task->arena, words * sizeof(uint32_t)),
                 .parts = arena_alloc(&task->arena, words * sizeof(Part)),
                 .new = view_new(task, words),
                 .old = view_new(task, words)};
  order_walk(task, findings->programs, trace, visit, &count);
  assert(tally_has_any(count.tally)); // these words do have races
  findings->check->pair_tests += count.tests;
}
