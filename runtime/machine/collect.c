// OpenCL's functions of a work-group or sub-group: all, any, broadcast, reduce,
// scan.
//
// Each work-item leaves its value and waits for the others, at the same place;
// then each computes its result from what all have left.  This orders no
// memory: what work-items wrote before still needs a barrier.  A quick
// work-item may leave its next value before others have read this one, so there
// is room for two.

#include "runtime/machine/collect.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------ values ---

static double as_double(uint64_t bits, CollectType type) {
  float narrow;
  double wide;
  uint32_t low = (uint32_t)bits;
  memcpy(&narrow, &low, sizeof narrow);
  memcpy(&wide, &bits, sizeof wide);
  return type == COLLECT_F32 ? narrow : wide;
}

static uint64_t bits_of(double value, CollectType type) {
  float narrow = (float)value;
  uint32_t low;
  uint64_t bits;
  memcpy(&low, &narrow, sizeof low);
  memcpy(&bits, &value, sizeof bits);
  return type == COLLECT_F32 ? low : bits;
}

static int64_t as_signed(uint64_t bits, CollectType type) {
  return type == COLLECT_S32 ? (int32_t)bits : (int64_t)bits;
}

static bool is_less(uint64_t a, uint64_t b, CollectType type) {
  switch (type) {
  case COLLECT_S32:
  case COLLECT_S64:
    return as_signed(a, type) < as_signed(b, type);
  case COLLECT_U32:
  case COLLECT_U64:
    return a < b;
  case COLLECT_F32:
  case COLLECT_F64:
    break;
  }
  return as_double(a, type) < as_double(b, type);
}

static bool is_float(CollectType type) {
  return type == COLLECT_F32 || type == COLLECT_F64;
}

static uint64_t sum(uint64_t a, uint64_t b, CollectType type) {
  return is_float(type) ? bits_of(as_double(a, type) + as_double(b, type), type)
                        : a + b;
}

static uint64_t combine(Collection how, uint64_t a, uint64_t b) {
  CollectType type = (CollectType)how.type;
  switch ((CollectOperation)how.operation) {
  case COLLECT_ADD:
    return sum(a, b, type);
  case COLLECT_MIN:
    return is_less(b, a, type) ? b : a;
  case COLLECT_MAX:
    return is_less(a, b, type) ? b : a;
  }
  return a;
}

// What changes nothing.
static uint64_t neutral(Collection how) {
  static const uint64_t least[] = {[COLLECT_S32] = (uint32_t)INT32_MIN,
                                   [COLLECT_S64] = (uint64_t)INT64_MIN,
                                   [COLLECT_F64] = 0};
  static const uint64_t most[] = {[COLLECT_S32] = INT32_MAX,
                                  [COLLECT_U32] = UINT32_MAX,
                                  [COLLECT_S64] = INT64_MAX,
                                  [COLLECT_U64] = UINT64_MAX,
                                  [COLLECT_F64] = 0};
  if (how.operation == COLLECT_ADD)
    return 0;
  bool is_min = how.operation == COLLECT_MIN;
  if (is_float((CollectType)how.type))
    return bits_of(is_min ? INFINITY : -INFINITY, (CollectType)how.type);
  return is_min ? most[how.type] : least[how.type];
}

// ----------------------------------------------------------------- meeting ---

typedef struct Members {
  Thread *first;
  unsigned count, slot;
  uint32_t lanes; // of a warp: those that have come
} Members;

// Who has come to a barrier may have left the kernel since.
static bool is_member(const Members *members, unsigned i) {
  return i >= LANES || members->lanes >> i & 1;
}

static Members meet_group(uint64_t value) {
  Thread *self = machine.self;
  unsigned slot = self->collected[0]++ % 2;
  self->collects = true;
  self->left[0][slot] = value;
  machine_wait(THREAD_AT_BARRIER);
  self->collects = false;
  return (Members){self->group->threads, self->group->count, slot, UINT32_MAX};
}

static Members meet_warp(uint64_t value) {
  Thread *self = machine.self;
  unsigned slot = self->collected[1]++ % 2, lane = self->index % LANES;
  unsigned rest = machine.threads - (self->index - lane);
  self->left[1][slot] = value;
  uint32_t lanes = warp_meet();
  return (Members){self - lane, rest < LANES ? rest : LANES, slot, lanes};
}

static uint64_t value_of(const Members *members, Collection how, unsigned i) {
  return members->first[i].left[how.is_sub][members->slot];
}

// ---------------------------------------------------------------- results ---

static uint64_t fold(const Members *members, Collection how, unsigned end) {
  uint64_t result = neutral(how);
  bool is_first = true;
  for (unsigned i = 0; i < end; i++)
    if (is_member(members, i)) {
      uint64_t value = value_of(members, how, i);
      result = is_first ? value : combine(how, result, value);
      is_first = false;
    }
  return result;
}

static uint64_t count_true(const Members *members, Collection how,
                           bool wanted) {
  uint64_t count = 0;
  for (unsigned i = 0; i < members->count; i++)
    count += is_member(members, i) &&
             ((uint32_t)value_of(members, how, i) != 0) == wanted;
  return count;
}

static uint64_t broadcast(const Members *members, Collection how,
                          uint64_t from) {
  if (from >= members->count || !is_member(members, (unsigned)from))
    machine_fail(INCIDENT_CRASH, "there is no work-item %llu to broadcast from",
                 (unsigned long long)from);
  return value_of(members, how, (unsigned)from);
}

static uint64_t number_of(Collection how, uint64_t x, uint64_t y, uint64_t z) {
  const uint32_t *size = machine.run->block;
  return how.is_sub ? x : x + size[0] * (y + size[1] * z);
}

uint64_t collect(uint64_t value, uint64_t x, uint64_t y, uint64_t z,
                 uint32_t bits) {
  Collection how;
  memcpy(&how, &bits, sizeof how);
  Members members = how.is_sub ? meet_warp(value) : meet_group(value);
  unsigned own = (unsigned)(machine.self - members.first);
  switch ((CollectKind)how.kind) {
  case COLLECT_ALL:
    return !count_true(&members, how, false);
  case COLLECT_ANY:
    return count_true(&members, how, true) > 0;
  case COLLECT_BROADCAST:
    return broadcast(&members, how, number_of(how, x, y, z));
  case COLLECT_REDUCE:
    return fold(&members, how, members.count);
  case COLLECT_INCLUSIVE:
    return fold(&members, how, own + 1);
  case COLLECT_EXCLUSIVE:
    return fold(&members, how, own);
  }
  return 0;
}

// ------------------------------------------------------------------ events ---

enum { COMPANIONS = 64 };

static void start(const Copy *made) {
  Copies *events = &machine.self->group->events;
  copies_check(FIRST_OF_EVENTS + made->companion, made);
  copies_add(events, made);
}

// Whoever comes first makes it, in the name of a companion.  Who replays an
// alarm may have any of them do it.
uint64_t event_copy(char *to, char *from, uint64_t count, uint64_t to_step,
                    uint64_t from_step, uint32_t bytes, uint64_t event) {
  Thread *self = machine.self;
  uint32_t number = self->events++;
  bool is_one = to_step == 1 && from_step == 1;
  uint32_t size = (uint32_t)(is_one ? bytes * count : bytes);
  uint64_t id = event ? event : number + UINT64_C(1);
  bool is_first = number == self->group->event_calls;
  self->group->event_calls += is_first;
  for (uint64_t i = 0; i < (is_one ? 1 : count); i++) {
    Copy copy = {.to = to + i * to_step * bytes,
                 .from = from + i * from_step * bytes,
                 .bytes = size,
                 .taken = size,
                 .site = self->site,
                 .thread = self->index,
                 .group = (uint32_t)id,
                 .companion = number % COMPANIONS,
                 .is_published = true,
                 .stamp = number / COMPANIONS + 1};
    copies_look(&copy);
    if (is_first)
      start(&copy);
  }
  return id;
}

static void finish(Copy *copy) {
  Thread *self = machine.self;
  if (machine.watches_races)
    causality_know(self, self->group->index, FIRST_OF_EVENTS + copy->companion,
                   copy->stamp);
  copies_make(copy);
}

void event_wait(int32_t count, const uint64_t *events) {
  Copies *copies = &machine.self->group->events;
  for (int32_t i = 0; i < count; i++)
    for (size_t n = 0; n < copies->count; n++)
      if (events[i] && copies->at[n].group == events[i])
        finish(&copies->at[n]);
}
