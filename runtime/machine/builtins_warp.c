// What the threads of a warp tell each other.
//
// Each lane leaves what it gives and waits.  When all lanes of its mask that
// have not left the kernel have come to the same operation with the same mask,
// each of them learns who has come and what they have given, and computes its
// own result from that.  As in PTX, operations are the same if their qualifiers
// are, wherever they stand in the code, and threads that have exited are not
// counted.  Only __syncwarp orders accesses to memory.  A lane that asks which
// lanes are active waits until the others can go no further, and is told of
// those that have come.
//
// Two things that PTX leaves undefined are reported: a mask without the thread
// itself, and the value of a lane that does not take part.

#include "runtime/machine/tensor.h"

#include <string.h>

static const char *const names[WARP_OPERATIONS] = {
    [WARP_ASK] = "activemask",
    [WARP_SYNC] = "bar.warp.sync",
    [WARP_MATRIX] = "a matrix operation",
    [WARP_COLLECT] = "a function of sub-groups",
    [WARP_IDX] = "shfl.sync.idx",
    [WARP_UP] = "shfl.sync.up",
    [WARP_DOWN] = "shfl.sync.down",
    [WARP_BFLY] = "shfl.sync.bfly",
    [WARP_ALL] = "vote.sync.all",
    [WARP_ANY] = "vote.sync.any",
    [WARP_UNI] = "vote.sync.uni",
    [WARP_BALLOT] = "vote.sync.ballot",
    [WARP_MATCH_ANY] = "match.sync.any.b32",
    [WARP_MATCH_ANY_LONG] = "match.sync.any.b64",
    [WARP_MATCH_ALL] = "match.sync.all.b32",
    [WARP_MATCH_ALL_LONG] = "match.sync.all.b64",
    [WARP_ADD] = "redux.sync.add",
    [WARP_MIN] = "redux.sync.min.s32",
    [WARP_MAX] = "redux.sync.max.s32",
    [WARP_UMIN] = "redux.sync.min.u32",
    [WARP_UMAX] = "redux.sync.max.u32",
    [WARP_AND] = "redux.sync.and",
    [WARP_OR] = "redux.sync.or",
    [WARP_XOR] = "redux.sync.xor",
};

const char *warp_operation_name(WarpOperation operation) {
  return names[operation];
}

static uint32_t own_lane(void) { return machine.self->index % LANES; }

static void exchange(WarpOperation operation, uint32_t mask, uint32_t given) {
  Thread *self = machine.self;
  if (!(mask >> own_lane() & 1))
    machine_fail(INCIDENT_DIVERGENCE,
                 "the mask 0x%x of this operation is without the thread itself",
                 mask);
  self->operation = operation;
  self->mask = mask;
  self->given = given;
  machine_wait(THREAD_AT_WARP);
}

static uint32_t own_bit(void) { return UINT32_C(1) << own_lane(); }

// In a search any thread may have come apart from the others.
uint32_t warp_active(void) {
  Thread *self = machine.self;
  if (machine.one_a_turn || machine.run->watch == WATCH_SCHEDULES)
    return own_bit();
  self->operation = WARP_ASK;
  self->mask = 0;
  machine_wait(THREAD_AT_WARP);
  return self->came;
}

void warp_work(const struct TensorJob *job) {
  machine.self->job = job;
  exchange(WARP_MATRIX, UINT32_MAX, 0);
  machine.self->job = NULL;
}

// --------------------------------------------------------------- resolve ---

static Thread *lane_of(Group *group, unsigned warp, unsigned lane) {
  unsigned index = warp * LANES + lane;
  return index < group->count ? &group->threads[index] : NULL;
}

// Of those that ask who is here: the lanes that have come to ask it at this
// place, while others went elsewhere.
static uint32_t who_came(Group *group, unsigned warp, const Thread *thread) {
  uint32_t together = 0;
  for (unsigned lane = 0; lane < LANES; lane++) {
    const Thread *other = lane_of(group, warp, lane);
    if (other && other->state == THREAD_AT_WARP &&
        other->operation == WARP_ASK && other->site == thread->site)
      together |= UINT32_C(1) << lane;
  }
  return together;
}

// What OpenCL has must be the same call for all.
static bool is_same_operation(const Thread *a, const Thread *b) {
  return a->operation == b->operation && a->mask == b->mask &&
         (a->operation != WARP_COLLECT || machine_same_place(a->site, b->site));
}

// The lanes that wait together with this one; 0 if one of its mask is missing.
static uint32_t complete(Group *group, unsigned warp, const Thread *thread) {
  uint32_t together = 0;
  if (thread->operation == WARP_ASK)
    return who_came(group, warp, thread);
  for (unsigned lane = 0; lane < LANES; lane++) {
    const Thread *other = lane_of(group, warp, lane);
    if (!(thread->mask >> lane & 1) || !other || other->state == THREAD_DONE)
      continue;
    if (other->state != THREAD_AT_WARP || !is_same_operation(other, thread))
      return 0;
    together |= UINT32_C(1) << lane;
  }
  return together;
}

// All have seen what any of them had seen; what comes now is new.
static void join_clocks(Thread *threads, uint32_t together) {
  uint32_t joined[LANES] = {0};
  for (unsigned i = 0; i < LANES; i++)
    for (unsigned lane = 0; together >> i & 1 && lane < LANES; lane++)
      if (threads[i].clock[lane] > joined[lane])
        joined[lane] = threads[i].clock[lane];
  for (unsigned i = 0; i < LANES; i++)
    if (together >> i & 1) {
      memcpy(threads[i].clock, joined, sizeof joined);
      threads[i].clock[i]++;
    }
}

// False: lanes are missing, or do something else, which has been told.
static bool is_whole(Thread *threads, uint32_t together) {
  Incident incident = {.kind = INCIDENT_DIVERGENCE, .count = 2};
  const Thread *first = &threads[__builtin_ctz(together)], *other = NULL;
  for (unsigned i = 0; i < LANES && !other; i++) {
    bool is_there = together >> i & 1;
    if (threads->index + i >= machine.threads)
      other = first;
    else if (!is_there || !threads[i].job != !first->job ||
             !machine_same_place(threads[i].site, first->site) ||
             (first->job && memcmp(&threads[i].job->shape, &first->job->shape,
                                   sizeof first->job->shape)))
      other = &threads[i];
  }
  if (!other)
    return true;
  incident.actors[0] = machine_actor(first);
  incident.actors[1] = machine_actor(other);
  snprintf(incident.text, sizeof incident.text,
           "a matrix operation needs all lanes of a warp");
  machine_stop(&incident);
  return false;
}

static void release(Thread *threads, uint32_t together) {
  bool orders = threads[__builtin_ctz(together)].operation == WARP_SYNC;
  uint32_t given[LANES] = {0};
  for (unsigned lane = 0; lane < LANES; lane++)
    if (together >> lane & 1)
      given[lane] = threads[lane].given;
  for (unsigned i = 0; i < LANES; i++)
    if (together >> i & 1) {
      machine_set_state(&threads[i], THREAD_READY);
      memcpy(threads[i].lanes, given, sizeof given);
      threads[i].came = together;
    }
  if (orders) {
    join_clocks(threads, together);
    causality_warp(threads, together);
  }
}

bool warp_resolve(Group *group) {
  bool has_released = false;
  for (unsigned i = 0; group->in[THREAD_AT_WARP] && i < group->count; i++) {
    Thread *thread = &group->threads[i];
    unsigned warp = i / LANES;
    uint32_t together =
        thread->state == THREAD_AT_WARP ? complete(group, warp, thread) : 0;
    if (!together)
      continue;
    Thread *threads = &group->threads[warp * LANES];
    bool is_matrix = thread->operation == WARP_MATRIX;
    if (is_matrix && !is_whole(threads, together))
      return false;
    if (is_matrix && thread->job)
      tensor_execute(threads);
    release(threads, together);
    has_released = true;
  }
  return has_released;
}

// ------------------------------------------------------------ operations ---

uint32_t warp_meet(void) {
  exchange(WARP_COLLECT, UINT32_MAX, 0);
  return machine.self->came;
}

void warp_sync(uint32_t mask) { exchange(WARP_SYNC, mask, 0); }

static uint32_t shuffle(WarpOperation operation, uint32_t mask, uint32_t value,
                        uint32_t from, bool is_there) {
  exchange(operation, mask, value);
  if (!is_there)
    return value;
  if (!(machine.self->came >> from % LANES & 1))
    machine_fail(INCIDENT_REFUSED,
                 "the value of lane %u, which takes no part in this %s, is "
                 "undefined",
                 from % LANES, names[operation]);
  return machine.self->lanes[from % LANES];
}

// As PTX describes shfl: the upper part of `clamp` cuts the warp into segments.
static uint32_t last_lane(uint32_t clamp) {
  uint32_t segment = clamp >> 8 & 31;
  return (own_lane() & segment) | (clamp & 31 & ~segment);
}

// Is the lane that a shuffle reads from in its segment?
uint32_t warp_reaches_up(uint32_t by, uint32_t clamp) {
  return (int)own_lane() - (int)(by & 31) >= (int)last_lane(clamp);
}

uint32_t warp_reaches_down(uint32_t by, uint32_t clamp) {
  return own_lane() + (by & 31) <= last_lane(clamp);
}

uint32_t warp_reaches_bfly(uint32_t by, uint32_t clamp) {
  return (own_lane() ^ (by & 31)) <= last_lane(clamp);
}

static uint32_t lane_of_segment(uint32_t lane, uint32_t clamp) {
  uint32_t segment = clamp >> 8 & 31;
  return (own_lane() & segment) | (lane & 31 & ~segment);
}

uint32_t warp_reaches_idx(uint32_t lane, uint32_t clamp) {
  return lane_of_segment(lane, clamp) <= last_lane(clamp);
}

uint32_t warp_shuffle_up(uint32_t mask, uint32_t value, uint32_t by,
                         uint32_t clamp) {
  return shuffle(WARP_UP, mask, value, own_lane() - (by & 31),
                 warp_reaches_up(by, clamp));
}

uint32_t warp_shuffle_down(uint32_t mask, uint32_t value, uint32_t by,
                           uint32_t clamp) {
  return shuffle(WARP_DOWN, mask, value, own_lane() + (by & 31),
                 warp_reaches_down(by, clamp));
}

uint32_t warp_shuffle_bfly(uint32_t mask, uint32_t value, uint32_t by,
                           uint32_t clamp) {
  return shuffle(WARP_BFLY, mask, value, own_lane() ^ (by & 31),
                 warp_reaches_bfly(by, clamp));
}

uint32_t warp_shuffle_idx(uint32_t mask, uint32_t value, uint32_t lane,
                          uint32_t clamp) {
  return shuffle(WARP_IDX, mask, value, lane_of_segment(lane, clamp),
                 warp_reaches_idx(lane, clamp));
}

typedef uint32_t Shuffle(uint32_t, uint32_t, uint32_t, uint32_t);

static float shuffle_float(Shuffle *how, uint32_t mask, float value,
                           uint32_t by, uint32_t clamp) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits = how(mask, bits, by, clamp);
  memcpy(&value, &bits, sizeof bits);
  return value;
}

float warp_shuffle_up_float(uint32_t mask, float value, uint32_t by,
                            uint32_t clamp) {
  return shuffle_float(warp_shuffle_up, mask, value, by, clamp);
}
float warp_shuffle_down_float(uint32_t mask, float value, uint32_t by,
                              uint32_t clamp) {
  return shuffle_float(warp_shuffle_down, mask, value, by, clamp);
}
float warp_shuffle_bfly_float(uint32_t mask, float value, uint32_t by,
                              uint32_t clamp) {
  return shuffle_float(warp_shuffle_bfly, mask, value, by, clamp);
}
float warp_shuffle_idx_float(uint32_t mask, float value, uint32_t lane,
                             uint32_t clamp) {
  return shuffle_float(warp_shuffle_idx, mask, value, lane, clamp);
}

static uint32_t ballot(WarpOperation operation, uint32_t mask, uint32_t vote) {
  uint32_t ballot = 0;
  exchange(operation, mask, vote & 1);
  for (unsigned i = 0; i < LANES; i++)
    ballot |= machine.self->lanes[i] << i;
  return ballot;
}

uint32_t warp_vote_ballot(uint32_t mask, uint32_t vote) {
  return ballot(WARP_BALLOT, mask, vote);
}

uint8_t warp_vote_any(uint32_t mask, uint32_t vote) {
  return ballot(WARP_ANY, mask, vote) != 0;
}

uint8_t warp_vote_all(uint32_t mask, uint32_t vote) {
  return ballot(WARP_ALL, mask, vote) == machine.self->came;
}

uint8_t warp_vote_uni(uint32_t mask, uint32_t vote) {
  uint32_t yes = ballot(WARP_UNI, mask, vote);
  return !yes || yes == machine.self->came;
}

// The lanes that have come with the same value.
static uint32_t match(WarpOperation operation, uint32_t mask, uint32_t value) {
  uint32_t equal = 0;
  exchange(operation, mask, value);
  for (unsigned i = 0; i < LANES; i++)
    equal |= (uint32_t)(machine.self->lanes[i] == value) << i;
  return equal & machine.self->came;
}

static uint32_t match_long(WarpOperation operation, uint32_t mask,
                           uint64_t value) {
  uint32_t low = match(operation, mask, (uint32_t)value);
  return low & match(operation, mask, (uint32_t)(value >> 32));
}

static uint32_t all_or_none(uint32_t equal) {
  return equal == machine.self->came ? equal : 0;
}

uint32_t warp_match_any(uint32_t mask, uint32_t value) {
  return match(WARP_MATCH_ANY, mask, value);
}

uint32_t warp_match_any_long(uint32_t mask, uint64_t value) {
  return match_long(WARP_MATCH_ANY_LONG, mask, value);
}

uint32_t warp_match_all(uint32_t mask, uint32_t value) {
  return all_or_none(match(WARP_MATCH_ALL, mask, value));
}

uint32_t warp_match_all_long(uint32_t mask, uint64_t value) {
  return all_or_none(match_long(WARP_MATCH_ALL_LONG, mask, value));
}

typedef uint32_t Combine(uint32_t, uint32_t);

static uint32_t reduce(WarpOperation operation, uint32_t value, uint32_t mask,
                       Combine *combine) {
  exchange(operation, mask, value);
  uint32_t others = machine.self->came & ~own_bit();
  for (unsigned i = 0; i < LANES; i++)
    if (others >> i & 1)
      value = combine(value, machine.self->lanes[i]);
  return value;
}

#define REDUCE(operation, name, result)                                        \
  static uint32_t combine_##name(uint32_t a, uint32_t b) { return result; }    \
  uint32_t warp_reduce_##name(uint32_t value, uint32_t mask) {                 \
    return reduce(WARP_##operation, value, mask, combine_##name);              \
  }
REDUCE(ADD, add, a + b)
REDUCE(MIN, min, (int32_t)a < (int32_t)b ? a : b)
REDUCE(MAX, max, (int32_t)a > (int32_t)b ? a : b)
REDUCE(UMIN, umin, a < b ? a : b)
REDUCE(UMAX, umax, a > b ? a : b)
REDUCE(AND, and, (a & b))
REDUCE(OR, or, a | b)
REDUCE(XOR, xor, a ^ b)
#undef REDUCE
