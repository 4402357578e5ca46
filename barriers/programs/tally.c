// Counts the pairs of threads that race at a pair of places.
//
// A pair of threads is counted once, in a matrix of bits for each finding, of
// which there is a block for two warps once they race; at one place alone the
// order of the two does not matter.

#include "barriers/programs/check.h"

#include <assert.h>

enum { MATRIX_BYTES = 1 << 25 }; // of all matrices together

// Bit l of lanes[k] of a block: lane k of one warp races with l of the other.
typedef struct Block {
  uint32_t lanes[WARP];
} Block;

// What two commands come to, as long as the next ones are the same.
typedef struct Rivals {
  AccessMark old, new;
  bool lacks_fence;
  bool is_unsure;
  unsigned first; // which of the ends
  size_t index;   // of the finding
} Rivals;

// Places that are known to race.
typedef struct Knowledge {
  uint64_t key;
  bool lacks_fence;
} Knowledge;

enum { KNOWN_BITS = 9 };

struct Tally {
  FindingSet *findings;
  const Programs *programs;
  Vec(Block **) matrices; // by index of the finding; by both warps
  size_t bytes;
  Rivals last;
  bool has_last;
  Knowledge known[1 << KNOWN_BITS]; // by hash, some of them
};

Tally *tally_new(FindingSet *findings) {
  Tally *tally = NEW(&findings->task->arena, Tally);
  *tally = (Tally){.findings = findings, .programs = findings->programs};
  return tally;
}

bool tally_has_any(const Tally *tally) {
  return tally->matrices.count || tally->findings->check->doubt.end_count;
}

static bool is_later(const Tally *tally, uint32_t place, uint32_t other) {
  const Place *places = tally->programs->places.at;
  assert(place < tally->programs->places.count);
  assert(other < tally->programs->places.count);
  if (places[place].ptx.line != places[other].ptx.line)
    return places[place].ptx.line > places[other].ptx.line;
  return place > other;
}

static void *allocate(Tally *tally, size_t bytes) {
  if (tally->bytes + bytes > MATRIX_BYTES)
    return NULL;
  tally->bytes += bytes;
  return arena_alloc(&tally->findings->task->arena, bytes);
}

// NULL: there is no room for it.
static Block *block_of(Tally *tally, size_t index, unsigned a, unsigned b) {
  size_t warps = programs_warps(tally->programs);
  while (tally->matrices.count <= index)
    push(&tally->findings->task->arena, &tally->matrices, NULL);
  Block ***matrix = &tally->matrices.at[index];
  if (!*matrix)
    *matrix = allocate(tally, warps * warps * sizeof(Block *));
  if (!*matrix)
    return NULL;
  Block **block = &(*matrix)[a * warps + b];
  if (!*block)
    *block = allocate(tally, sizeof(Block));
  return *block;
}

// The thread of an end; pairs at one place have the smaller thread first.
static unsigned thread_of(End end) { return end.warp * WARP + end.lane; }

// How many pairs are new; if there is no room for it nobody knows.
static uint64_t enter(Tally *tally, size_t index, End a, End b, bool *is_full) {
  if (a.place == b.place && thread_of(a) > thread_of(b)) {
    End swapped = a;
    a = b;
    b = swapped;
  }
  Block *block = block_of(tally, index, a.warp, b.warp);
  *is_full |= !block;
  if (!block || block->lanes[a.lane] >> b.lane & 1)
    return 0;
  block->lanes[a.lane] |= (uint32_t)1 << b.lane;
  return 1;
}

// The same, of one lane and several.
static uint64_t enter_all(Tally *tally, size_t index, End a, End b,
                          uint32_t lanes, bool *is_full) {
  Block *block = block_of(tally, index, a.warp, b.warp);
  *is_full |= !block;
  if (!block)
    return 0;
  uint32_t fresh = lanes & ~block->lanes[a.lane];
  block->lanes[a.lane] |= lanes;
  return (uint64_t)__builtin_popcount(fresh);
}

static void show_bytes(const Tally *tally, Finding *finding) {
  uint32_t from = 0, to = UINT32_MAX;
  for (unsigned i = 0; i < 2; i++) {
    End end = finding->ends[i];
    const Command *command = programs_command(tally->programs, end);
    uint32_t address = access_address(tally->programs, command, end.lane);
    if (from < address)
      from = address;
    if (to > address + access_width(command))
      to = address + access_width(command);
  }
  assert(from < to);
  finding->address = from;
  finding->bytes = to - from;
}

static bool is_at(const Tally *tally, End end, bool (*is)(CommandKind)) {
  return is(programs_command(tally->programs, end)->kind);
}

// A race with what begins or ends an mbarrier has a name of its own.
static FindingKind kind_of(const Tally *tally, End a, End b, bool lacks_fence) {
  bool has_a = is_at(tally, a, is_mbarrier);
  bool has_b = is_at(tally, b, is_mbarrier);
  if (!has_a && !has_b)
    return lacks_fence ? FINDING_UNFENCED : FINDING_RACE;
  if (!has_a || !has_b)
    return FINDING_OVERLAP;
  bool is_used = is_at(tally, a, is_use) || is_at(tally, b, is_use);
  return is_used ? FINDING_DEAD : FINDING_LIVE;
}

// One that races, first in the text of the program.
static unsigned first_of(const Tally *tally, const End ends[2]) {
  return is_later(tally, ends[1].place, ends[0].place) ? 1 : 0;
}

static const Command *command_of(const Tally *tally, const AccessMark *mark) {
  return &tally->programs->warps[mark->warp].at[mark->command];
}

static bool finds(const Tally *tally, const AccessMark *old,
                  const AccessMark *new, bool lacks_fence) {
  End ends[2] = {end_of(tally->programs, new->warp, new->command),
                 end_of(tally->programs, old->warp, old->command)};
  if (findings_are_unsure(tally->findings, ends[0], ends[1]))
    return true;
  unsigned first = first_of(tally, ends);
  FindingKind kind = kind_of(tally, ends[0], ends[1], lacks_fence);
  return findings_has(tally->findings, kind, 0, ends[first], &ends[1 - first]);
}

static bool is_plain(const Command *command) {
  return !command->is_perhaps &&
         (command->kind == COMMAND_READ ||
          command->kind == COMMAND_STRONG_READ ||
          command->kind == COMMAND_WRITE || command->kind == COMMAND_ATOMIC);
}

// What two plain accesses are when they race follows from their places.
bool tally_knows(Tally *tally, const AccessMark *old, const AccessMark *new,
                 bool lacks_fence) {
  const Command *a = command_of(tally, old), *b = command_of(tally, new);
  if (!is_plain(a) || !is_plain(b))
    return finds(tally, old, new, lacks_fence);
  uint64_t key = ((uint64_t)a->place << 32 | b->place) + 1;
  Knowledge *known =
      &tally->known[hash_mix(a->place, b->place) >> (64 - KNOWN_BITS)];
  if (known->key == key && known->lacks_fence == lacks_fence)
    return true;
  if (!finds(tally, old, new, lacks_fence))
    return false;
  *known = (Knowledge){key, lacks_fence};
  return true;
}

static Finding *finding_of(Tally *tally, End a, End b, bool lacks_fence) {
  FindingKind kind = kind_of(tally, a, b, lacks_fence);
  Finding *finding = findings_get(tally->findings, kind, 0, a, &b);
  if (!finding->bytes)
    show_bytes(tally, finding);
  finding->is_mbarrier = kind == FINDING_DEAD || kind == FINDING_LIVE;
  return finding;
}

static bool is_same(const AccessMark *a, const AccessMark *b) {
  return a->warp == b->warp && a->command == b->command;
}

// The two, if they are not those of the last time.
static const Rivals *find_rivals(Tally *tally, const AccessMark *old,
                                 const AccessMark *new, const End ends[2],
                                 bool lacks_fence) {
  Rivals *rivals = &tally->last;
  if (tally->has_last && is_same(old, &rivals->old) &&
      is_same(new, &rivals->new) && rivals->lacks_fence == lacks_fence)
    return rivals;
  *rivals = (Rivals){*old, *new, lacks_fence, .first = first_of(tally, ends)};
  tally->has_last = true;
  rivals->is_unsure = findings_are_unsure(tally->findings, ends[0], ends[1]);
  if (rivals->is_unsure)
    return rivals;
  Finding *finding = finding_of(tally, ends[rivals->first],
                                ends[1 - rivals->first], lacks_fence);
  rivals->index = (size_t)(finding - tally->findings->check->findings.at);
  return rivals;
}

void tally_add(Tally *tally, const AccessMark *old, uint32_t lanes,
               const AccessMark *new, unsigned lane, bool lacks_fence) {
  const Programs *programs = tally->programs;
  unsigned other = (unsigned)__builtin_ctz(lanes);
  End ends[2] = {end_of_lane(programs, new->warp, lane, new->command),
                 end_of_lane(programs, old->warp, other, old->command)};
  const Rivals *rivals = find_rivals(tally, old, new, ends, lacks_fence);
  unsigned first = rivals->first;
  if (rivals->is_unsure) {
    findings_doubt(tally->findings, ends[first], ends[1 - first]);
    return;
  }
  Finding *finding = &tally->findings->check->findings.at[rivals->index];
  uint64_t pairs = (uint64_t)__builtin_popcount(lanes);
  bool is_full = false, are_alike = ends[0].place == ends[1].place;
  if (first == 0 && !are_alike)
    finding->occurrences +=
        enter_all(tally, rivals->index, ends[0], ends[1], lanes, &is_full);
  for (; lanes && (first || are_alike); lanes &= lanes - 1) {
    ends[1].lane = (unsigned)__builtin_ctz(lanes);
    finding->occurrences +=
        enter(tally, rivals->index, ends[first], ends[1 - first], &is_full);
  }
  if (is_full && finding->occurrences < pairs)
    finding->occurrences = pairs;
}
