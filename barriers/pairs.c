// Which places race, and for how many pairs of threads.
//
// Here marks are kept for each place and warp, the last one of each lane: if
// an older access of the lane at that place races with a later access, so does
// the last one, which happens behind the older one.  So every pair of places
// is found, and every pair of threads at them, without looking at all pairs of
// accesses.  A pair of threads is counted once, in a matrix of bits for each
// pair of places; at one place alone the order of the two does not matter.

#include "barriers/check.h"

#include <assert.h>

enum {
  MOST_TESTS = 1 << 28,
  MATRIX_BYTES = 1 << 25, // of all matrices together
};

// Bit l of row[thread][warp]: lane l there races with the thread.
typedef struct Matrix {
  uint32_t *rows;
} Matrix;

typedef struct Count {
  const Order *order; // at this access
  Findings *findings;
  const Programs *programs;
  const Words *racy;
  Shadow *shadow;
  Vec(Matrix) matrices; // by index of the finding
  size_t matrix_bytes;
  uint64_t tests;
} Count;

static uint32_t place_of(const Count *count, const Mark *mark) {
  return count->programs->warps[mark->warp].at[mark->command].place;
}

// The same instruction of the same warp on the same bytes.
static bool is_same_place(const Count *count, const Mark *a, const Mark *b) {
  return a->warp == b->warp && a->bytes == b->bytes && a->kind == b->kind &&
         place_of(count, a) == place_of(count, b);
}

// Nothing that is not known of `old`.  A write may race with others of its own
// command alone, so it is news if several lanes share its mark, and in lock
// step, where older commands say nothing about that.
static bool repeats(const Count *count, const Mark *old, const Mark *new) {
  bool is_alone = old->lanes == new->lanes && !(new->lanes & (new->lanes - 1));
  return is_same_place(count, old, new) && old->time == new->time &&
         !(new->lanes & ~old->lanes) && !is_bulk(new->kind) &&
         (!is_writing(new->kind) || (new->kind == COMMAND_WRITE && is_alone &&
                                     !count->programs->lock_step));
}

static bool is_later(const Count *count, uint32_t place, uint32_t other) {
  const Place *places = count->programs->places.at;
  assert(place < count->programs->places.count);
  assert(other < count->programs->places.count);
  if (places[place].ptx.line != places[other].ptx.line)
    return places[place].ptx.line > places[other].ptx.line;
  return place > other;
}

static uint32_t *new_rows(Count *count) {
  size_t warps = programs_warps(count->programs);
  size_t bytes = warps * WARP * warps * sizeof(uint32_t);
  if (count->matrix_bytes + bytes > MATRIX_BYTES)
    return NULL;
  count->matrix_bytes += bytes;
  return arena_alloc(&count->findings->task->arena, bytes);
}

static Matrix *matrix_of(Count *count, size_t index) {
  while (count->matrices.count <= index)
    push(&count->findings->task->arena, &count->matrices, ((Matrix){0}));
  return &count->matrices.at[index];
}

// The thread of an end; pairs at one place have the smaller thread first.
static unsigned thread_of(End end) { return end.warp * WARP + end.lane; }

// True if the pair is new.
static bool enter(const Count *count, Matrix *matrix, End a, End b) {
  if (a.place == b.place && thread_of(a) > thread_of(b)) {
    End swapped = a;
    a = b;
    b = swapped;
  }
  size_t warps = programs_warps(count->programs);
  uint32_t *row = &matrix->rows[thread_of(a) * warps + b.warp];
  bool is_new = !(*row >> b.lane & 1);
  *row |= (uint32_t)1 << b.lane;
  return is_new;
}

static void show_bytes(const Count *count, Finding *finding) {
  uint32_t from = 0, to = UINT32_MAX;
  for (unsigned i = 0; i < 2; i++) {
    End end = finding->ends[i];
    const Command *command = programs_command(count->programs, end);
    uint32_t address = access_address(count->programs, command, end.lane);
    if (from < address)
      from = address;
    if (to > address + access_width(command))
      to = address + access_width(command);
  }
  assert(from < to);
  finding->address = from;
  finding->bytes = to - from;
}

static bool is_at(const Count *count, End end, bool (*is)(CommandKind)) {
  return is(count->programs->warps[end.warp].at[end.command].kind);
}

// A race with what begins or ends an mbarrier has a name of its own.
static FindingKind kind_of(const Count *count, End a, End b, bool lacks_fence) {
  bool has_a = is_at(count, a, is_mbarrier);
  bool has_b = is_at(count, b, is_mbarrier);
  if (!has_a && !has_b)
    return lacks_fence ? FINDING_UNFENCED : FINDING_RACE;
  if (!has_a || !has_b)
    return FINDING_OVERLAP;
  bool is_used = is_at(count, a, is_use) || is_at(count, b, is_use);
  return is_used ? FINDING_DEAD : FINDING_LIVE;
}

static Finding *finding_of(Count *count, End a, End b, bool lacks_fence) {
  FindingKind kind = kind_of(count, a, b, lacks_fence);
  Finding *finding = findings_get(count->findings, kind, 0, a, &b);
  if (!finding->bytes)
    show_bytes(count, finding);
  finding->is_mbarrier = kind == FINDING_DEAD || kind == FINDING_LIVE;
  return finding;
}

static End end_at(const Count *count, const Mark *mark, unsigned lane) {
  return (End){mark->warp, lane, mark->command, place_of(count, mark)};
}

// The lanes of `old` race with one lane of `new`.
static void record(Count *count, const Mark *old, uint32_t lanes,
                   const Mark *new, unsigned lane) {
  End ends[2] = {end_at(count, new, lane),
                 end_at(count, old, (unsigned)__builtin_ctz(lanes))};
  unsigned first = is_later(count, ends[1].place, ends[0].place) ? 1 : 0;
  bool lacks_fence = marks_lack_fence(count->findings->task, count->programs,
                                      count->order, old, new, lane);
  Finding *finding =
      finding_of(count, ends[first], ends[1 - first], lacks_fence);
  Matrix *matrix =
      matrix_of(count, (size_t)(finding - count->findings->check->findings.at));
  if (!matrix->rows)
    matrix->rows = new_rows(count);
  if (!matrix->rows) {
    uint64_t pairs = (uint64_t)__builtin_popcount(lanes);
    if (finding->occurrences < pairs)
      finding->occurrences = pairs;
    return;
  }
  for (; lanes; lanes &= lanes - 1) {
    count->tests++;
    ends[1].lane = (unsigned)__builtin_ctz(lanes);
    finding->occurrences += enter(count, matrix, ends[first], ends[1 - first]);
  }
}

static void test(Count *count, const Order *order, const Mark *old,
                 const Mark *new) {
  count->tests++;
  for (uint32_t left = new->lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    uint32_t racing = marks_racing(count->programs, order, old, new, lane);
    if (racing)
      record(count, old, racing, new, lane);
    else if (old->warp != new->warp && order_is_of_warps(order))
      return;
  }
}

static bool is_repeated(Count *count, uint32_t word, const Mark *new) {
  for (const Mark *old = count->shadow->words[word]; old; old = old->next) {
    count->tests++;
    if (repeats(count, old, new))
      return true;
  }
  return false;
}

static void compare(Count *count, const Order *order, uint32_t word,
                    const Mark *new) {
  for (const Mark *old = count->shadow->words[word]; old; old = old->next)
    test(count, order, old, new);
  if (new->lanes & (new->lanes - 1))
    test(count, order, new, new);
}

static void leave(Count *count, uint32_t word, const Mark *new) {
  Mark *shared = NULL;
  for (Mark **link = &count->shadow->words[word]; *link;) {
    Mark *old = *link;
    if (old->warp == new->warp && old->command == new->command &&
        old->bytes == new->bytes)
      shared = old;
    else if (is_same_place(count, old, new) && !is_bulk(new->kind))
      old->lanes &= ~new->lanes;
    if (old->lanes)
      link = &old->next;
    else
      shadow_remove(count->shadow, link);
  }
  if (shared)
    shared->lanes |= new->lanes;
  else
    shadow_insert(count->shadow, word, new);
}

static void look(Count *count, const Order *order, uint32_t word,
                 const Mark *mark) {
  if (is_repeated(count, word, mark))
    return;
  compare(count, order, word, mark);
  if (!is_use(mark->kind))
    leave(count, word, mark);
}

static void visit(void *data, const Order *order, unsigned warp,
                  uint32_t command) {
  Count *count = data;
  if (count->tests > MOST_TESTS && count->matrices.count) {
    count->findings->check->stopped_counting = true;
    return;
  }
  count->order = order;
  Marks marks = marks_of(count->programs, order, warp, command);
  if (may_overlap_itself(marks.command))
    for (Marks ahead = marks; marks_next(&ahead);)
      if (words_has(count->racy, ahead.word))
        compare(count, order, ahead.word, &ahead.mark);
  while (marks_next(&marks))
    if (words_has(count->racy, marks.word))
      look(count, order, marks.word, &marks.mark);
}

void count_races(Findings *findings, const Trace *trace, const Words *racy) {
  Count count = {.findings = findings,
                 .programs = findings->programs,
                 .racy = racy,
                 .shadow = shadow_new(findings->task, findings->programs)};
  order_walk(findings->task, findings->programs, trace, visit, &count);
  assert(count.matrices.count); // these words do have races
  findings->check->pair_tests += count.tests;
}
