// Words of shared memory that the block uses alike.
//
// Whether a word is raced for depends on who touches it with which command and
// bytes, not on where it is.  So words with the same commands are one class,
// and one of each class is enough to look at: of an array that warps read and
// write as a whole that is one word of many.
//
// The classes are a partition that each command refines: of the words of a
// class it takes those that it touches in the same way into a class of their
// own.  A command that touches what another one of its warp has touched
// refines nothing; so the work is that of the different shapes of accesses,
// and a walk along the trace looks up what a shape touches of the words that
// stand for others.
//
// Lanes tell words apart, with one exception: where order between warps is all
// that counts it does not matter which lane it is that alone does all that its
// warp does to a word.

#include "barriers/programs/check.h"

#include <assert.h>

enum {
  MOST_SHAPES = 1 << 16,
  MOST_KEPT = 1 << 16, // touches of all shapes together
  FIRST_SLOTS = 256,
  NO_CLASS = INT32_MAX
};

// What accesses touch, whoever makes them.
typedef struct Shape {
  const Command *command; // one of them
  uint32_t hash;
  uint64_t warps[MOST_WARPS / 64]; // that have it, a set
  bool is_plain; // one has, of which nothing else tells words apart
  uint32_t kept; // of the words that stand for others: an index, plus one
  uint32_t count;
} Shape;

// What a command takes out of a class.
typedef struct Split {
  uint64_t seen;
  uint32_t lanes;
  uint8_t bytes;
  uint32_t class;
  uint32_t next; // of the same class, plus one
} Split;

typedef struct Class {
  uint32_t words;  // how many
  uint32_t word;   // the first of them
  uint32_t round;  // of its splits
  uint32_t splits; // the last of them, plus one
  uint32_t next_spare;
} Class;

struct Alike {
  Task *task;
  const Programs *programs;
  bool renames;       // which lanes they are does not matter
  uint32_t most_seen; // ... of so many
  bool ignores_lanes; // nor which are the same
  uint32_t *class_of;
  uint64_t *seen; // for each word, of ...
  uint16_t *warp; // ... this warp, plus one
  Vec(Class) classes;
  Vec(Split) splits;     // of this round
  Vec(uint32_t) emptied; // in this round
  uint32_t spare, round;
  Vec(Shape) shapes;
  uint32_t *slots; // open addressing: an index into shapes, plus one
  size_t slot_count;
  bool is_complete; // else each word stands for itself
  uint32_t words;   // all that are touched are below
  Vec(Touch) kept;  // of shapes
  Vec(Touch) found; // of another one
};

// ---------------------------------------------------------------- shapes ---

static size_t hash_of(const Command *command) {
  uint64_t hash = hash_mix(command->lanes, access_width(command));
  hash = hash_mix(hash, command->address);
  hash = hash_mix(hash, (uint32_t)access_stride(command));
  return (size_t)(hash ^ hash >> 32);
}

static bool is_same(const Command *a, const Command *b) {
  return a->address == b->address && a->lanes == b->lanes &&
         a->is_scattered == b->is_scattered &&
         access_width(a) == access_width(b) &&
         access_stride(a) == access_stride(b);
}

static uint32_t *find_slot(const Alike *alike, const Command *command,
                           size_t hash) {
  size_t mask = alike->slot_count - 1, i = hash & mask;
  for (; alike->slots[i]; i = (i + 1) & mask) {
    const Shape *shape = &alike->shapes.at[alike->slots[i] - 1];
    if (shape->hash == (uint32_t)hash && is_same(shape->command, command))
      break;
  }
  return &alike->slots[i];
}

static void make_room(Alike *alike) {
  if (2 * alike->shapes.count < alike->slot_count)
    return;
  alike->slot_count = alike->slot_count ? 2 * alike->slot_count : FIRST_SLOTS;
  alike->slots =
      arena_alloc(&alike->task->arena, alike->slot_count * sizeof(uint32_t));
  for (size_t i = 0; i < alike->shapes.count; i++) {
    const Shape *shape = &alike->shapes.at[i];
    *find_slot(alike, shape->command, shape->hash) = (uint32_t)i + 1;
  }
}

static Shape *enter_shape(Alike *alike, const Command *command) {
  size_t hash = hash_of(command);
  make_room(alike);
  uint32_t *slot = find_slot(alike, command, hash);
  if (!*slot) {
    push(&alike->task->arena, &alike->shapes,
         ((Shape){.command = command, .hash = (uint32_t)hash}));
    *slot = (uint32_t)alike->shapes.count;
  }
  return &alike->shapes.at[*slot - 1];
}

// --------------------------------------------------------------- classes ---

static uint32_t new_class(Alike *alike) {
  uint32_t class = alike->spare;
  if (class == NO_CLASS) {
    class = (uint32_t)alike->classes.count;
    push(&alike->task->arena, &alike->classes, ((Class){0}));
  } else {
    alike->spare = alike->classes.at[class].next_spare;
    alike->classes.at[class] = (Class){0};
  }
  return class;
}

// The class of those words of a class that are touched like this.
static uint32_t split_of(Alike *alike, uint32_t class, Split token) {
  Class *from = &alike->classes.at[class];
  if (from->round != alike->round) {
    from->round = alike->round;
    from->splits = 0;
  }
  for (uint32_t i = from->splits; i; i = alike->splits.at[i - 1].next) {
    const Split *split = &alike->splits.at[i - 1];
    if (split->lanes == token.lanes && split->seen == token.seen &&
        split->bytes == token.bytes)
      return split->class;
  }
  token.next = from->splits;
  from->splits = (uint32_t)alike->splits.count + 1;
  token.class = new_class(alike);
  push(&alike->task->arena, &alike->splits, token);
  return token.class;
}

// The first lanes of a warp that touch a word alone, and whether what comes is
// told by the lanes themselves.
enum { LANE_BITS = 5, MOST_SEEN = 11 };
static const uint64_t SEEN_ONE = (uint64_t)1 << MOST_SEEN * LANE_BITS,
                      IS_EXACT = (uint64_t)1 << 63;

// Which of them this lane is; a new one if there is room, else none.
static uint32_t number_of(const Alike *alike, uint64_t *seen, unsigned lane) {
  uint32_t count = (uint32_t)(*seen / SEEN_ONE);
  for (uint32_t i = 0; i < count; i++)
    if ((*seen >> i * LANE_BITS) % WARP == lane)
      return i;
  if (count == alike->most_seen)
    return MOST_SEEN;
  *seen += SEEN_ONE + ((uint64_t)lane << count * LANE_BITS);
  return count;
}

// A command of a warp, of which it matters which lanes touch what, or not.
typedef struct Toucher {
  unsigned warp;
  uint32_t all; // lanes of the warp
  bool is_exact;
} Toucher;

// How a warp touches a word, as far as that tells words apart.  Of its lanes
// it matters which are the same.
static Split token_of(Alike *alike, const Toucher *by, const Touch *touch) {
  uint64_t *seen = &alike->seen[touch->word];
  unsigned warp = by->warp;
  bool is_one = !(touch->lanes & (touch->lanes - 1));
  bool is_all = touch->lanes == by->all && alike->most_seen == MOST_SEEN;
  bool is_exact = by->is_exact;
  if (alike->ignores_lanes && !is_exact)
    return (Split){.bytes = touch->bytes, .lanes = is_one};
  if (alike->warp[touch->word] != warp + 1)
    *seen = 0;
  alike->warp[touch->word] = (uint16_t)(warp + 1);
  if (is_exact || (!is_one && !is_all))
    *seen |= IS_EXACT;
  if (is_one && !(*seen & IS_EXACT)) {
    uint32_t number =
        number_of(alike, seen, (unsigned)__builtin_ctz(touch->lanes));
    if (number < MOST_SEEN)
      return (Split){.bytes = touch->bytes, .seen = number};
    *seen |= IS_EXACT;
  }
  return (Split){.lanes = touch->lanes,
                 .bytes = touch->bytes,
                 .seen = *seen & IS_EXACT ? *seen : 0};
}

// A class without words may be what a split of this round leads to, until the
// round is over.
static void move(Alike *alike, const Touch *touch, Split token) {
  uint32_t old = alike->class_of[touch->word];
  uint32_t new = split_of(alike, old, token);
  alike->class_of[touch->word] = new;
  alike->classes.at[new].words++;
  if (alike->words <= touch->word)
    alike->words = touch->word + 1;
  if (!--alike->classes.at[old].words)
    push(&alike->task->arena, &alike->emptied, old);
}

static void end_round(Alike *alike) {
  for (size_t i = 0; i < alike->emptied.count; i++) {
    Class *class = &alike->classes.at[alike->emptied.at[i]];
    if (class->words || class->round == NO_CLASS)
      continue;
    class->round = NO_CLASS; // it may have been emptied twice
    class->next_spare = alike->spare;
    alike->spare = alike->emptied.at[i];
  }
  alike->emptied.count = 0;
  alike->splits.count = 0;
}

static Touch touch_at(const Marks *marks) {
  return (Touch){marks->word, marks->mark.lanes, marks->mark.bytes};
}

static void refine(Alike *alike, unsigned warp, const Command *command) {
  Shape *shape = enter_shape(alike, command);
  Toucher by = {.warp = warp,
                .all = warp_lanes(alike->programs, warp),
                .is_exact = !alike->renames || may_overlap_itself(command)};
  uint64_t bit = (uint64_t)1 << warp % 64;
  if (shape->warps[warp / 64] & bit || (shape->is_plain && !by.is_exact))
    return;
  shape->warps[warp / 64] |= bit;
  shape->is_plain |= alike->ignores_lanes && !by.is_exact;
  alike->round++;
  for (Marks marks = marks_start(alike->programs, command);
       marks_next(&marks);) {
    Touch touch = touch_at(&marks);
    move(alike, &touch, token_of(alike, &by, &touch));
  }
  end_round(alike);
}

// Does a warp go on when some of its lanes have exited?
static bool has_exits(const Commands *commands) {
  for (size_t i = 1; i < commands->count; i++)
    if (commands->at[i - 1].kind == COMMAND_EXIT &&
        commands->at[i].kind != COMMAND_EXIT)
      return true;
  return false;
}

static bool has_partial_syncs(const Commands *commands, uint32_t lanes) {
  for (size_t i = 0; i < commands->count; i++)
    if (commands->at[i].kind == COMMAND_WARP_SYNC &&
        commands->at[i].lanes != lanes)
      return true;
  return false;
}

// Where lanes learn what others do not, it matters which they are.  A lane
// alone is in order with itself.
static void find_what_lanes_mean(Alike *alike, bool counts_lanes) {
  const Programs *programs = alike->programs;
  alike->renames = !needs_lanes(programs);
  alike->most_seen = MOST_SEEN;
  if (programs->lock_step) {
    alike->ignores_lanes = !counts_lanes;
    return;
  }
  for (unsigned warp = 0; warp < programs_warps(programs); warp++) {
    const Commands *commands = &programs->warps[warp];
    if (has_exits(commands))
      alike->renames = false;
    if (has_partial_syncs(commands, warp_lanes(programs, warp)))
      alike->most_seen = 1;
  }
}

static void choose(Alike *alike) {
  for (uint32_t word = alike->words; word-- > 0;)
    alike->classes.at[alike->class_of[word]].word = word;
}

static bool is_in_memory(const Command *command) {
  return is_touching(command->kind) && !is_apart(command);
}

// Where it matters what is written, each word stands for itself.
static void refine_all(Alike *alike) {
  const Programs *programs = alike->programs;
  if (programs->values.count)
    return;
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    for (size_t i = 0; i < programs->warps[warp].count; i++)
      if (is_in_memory(&programs->warps[warp].at[i])) {
        if (alike->shapes.count == MOST_SHAPES)
          return;
        refine(alike, warp, &programs->warps[warp].at[i]);
      }
  alike->is_complete = true;
}

Alike *alike_new(Task *task, const Programs *programs, bool counts_lanes) {
  Alike *alike = NEW(&task->arena, Alike);
  *alike = (Alike){.task = task, .programs = programs, .spare = NO_CLASS};
  find_what_lanes_mean(alike, counts_lanes);
  size_t words = programs_words(programs);
  alike->class_of = arena_alloc(&task->arena, words * sizeof(uint32_t));
  alike->seen = arena_alloc(&task->arena, words * sizeof(uint64_t));
  alike->warp = arena_alloc(&task->arena, words * sizeof *alike->warp);
  uint32_t untouched = new_class(alike);
  alike->classes.at[untouched].words = (uint32_t)words;
  refine_all(alike);
  choose(alike);
  return alike;
}

// --------------------------------------------------------------- look-up ---

uint32_t alike_word(const Alike *alike, uint32_t word) {
  if (!alike->is_complete)
    return word;
  return alike->classes.at[alike->class_of[word]].word;
}

static Shape *shape_of(const Alike *alike, const Command *command) {
  uint32_t slot = *find_slot(alike, command, hash_of(command));
  assert(slot);
  return &alike->shapes.at[slot - 1];
}

static void collect(Alike *alike, const Command *command) {
  alike->found.count = 0;
  for (Marks marks = marks_start(alike->programs, command); marks_next(&marks);)
    if (alike_word(alike, marks.word) == marks.word)
      push(&alike->task->arena, &alike->found, touch_at(&marks));
}

static void keep(Alike *alike, Shape *shape) {
  shape->kept = (uint32_t)alike->kept.count + 1;
  shape->count = (uint32_t)alike->found.count;
  for (size_t i = 0; i < alike->found.count; i++)
    push(&alike->task->arena, &alike->kept, alike->found.at[i]);
}

Touches alike_touches(Alike *alike, const Command *command) {
  Shape *shape = alike->is_complete ? shape_of(alike, command) : NULL;
  uint32_t number = shape ? (uint32_t)(shape - alike->shapes.at) : 0;
  if (shape && shape->kept)
    return (Touches){&alike->kept.at[shape->kept - 1], shape->count, number};
  collect(alike, command);
  if (shape && alike->kept.count + alike->found.count <= MOST_KEPT)
    keep(alike, shape);
  return (Touches){alike->found.at, alike->found.count, number};
}
