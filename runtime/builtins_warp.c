// What the threads of a warp tell each other.
//
// Each lane leaves what it gives and waits.  When all lanes of its mask have
// come, or have left the kernel, each of them gets what all have given; what
// an operation makes of it is computed by each lane for itself.  Only
// __syncwarp orders accesses to memory.  Who asks which lanes are active waits
// until the others can go no further, and is told of those that have come.

#include "runtime/tensor.h"

#include <string.h>

static uint32_t own_lane(void) { return machine.self->index % LANES; }

static void exchange(uint32_t mask, uint32_t given, bool orders) {
  Thread *self = machine.self;
  if (!(mask >> own_lane() & 1))
    machine_fail(INCIDENT_DIVERGENCE,
                 "the mask 0x%x of this operation is without the thread itself",
                 mask);
  self->mask = mask;
  self->given = given;
  self->orders = orders;
  machine_wait(THREAD_AT_WARP);
}

static uint32_t own_bit(void) { return UINT32_C(1) << own_lane(); }

// In a search any thread may have come apart from the others.
uint32_t warp_active(void) {
  Thread *self = machine.self;
  uint32_t active = 0;
  if (machine.one_a_turn || machine.run->watch == WATCH_SCHEDULES)
    return own_bit();
  self->mask = 0;
  self->given = 1;
  self->orders = false;
  machine_wait(THREAD_AT_WARP);
  for (unsigned lane = 0; lane < LANES; lane++)
    active |= (uint32_t)(self->lanes[lane] != 0) << lane;
  return active;
}

void warp_work(const struct TensorJob *job) {
  Thread *self = machine.self;
  self->is_matrix = true;
  self->job = job;
  exchange(UINT32_MAX, 0, false);
  self->is_matrix = false;
  self->job = NULL;
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
    if (other && other->state == THREAD_AT_WARP && !other->mask &&
        other->site == thread->site)
      together |= UINT32_C(1) << lane;
  }
  return together;
}

// The lanes that wait together with this one; 0 if one of its mask is missing.
static uint32_t complete(Group *group, unsigned warp, const Thread *thread) {
  uint32_t together = 0;
  if (!thread->mask)
    return who_came(group, warp, thread);
  for (unsigned lane = 0; lane < LANES; lane++) {
    const Thread *other = lane_of(group, warp, lane);
    if (!(thread->mask >> lane & 1) || !other || other->state == THREAD_DONE)
      continue;
    if (other->state != THREAD_AT_WARP || other->mask != thread->mask ||
        other->orders != thread->orders ||
        other->is_matrix != thread->is_matrix)
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
  bool orders = false;
  uint32_t given[LANES] = {0};
  for (unsigned lane = 0; lane < LANES; lane++)
    if (together >> lane & 1)
      given[lane] = threads[lane].given;
  for (unsigned i = 0; i < LANES; i++)
    if (together >> i & 1) {
      machine_set_state(&threads[i], THREAD_READY);
      memcpy(threads[i].lanes, given, sizeof given);
      orders = threads[i].orders;
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
    if (thread->is_matrix && !is_whole(threads, together))
      return false;
    if (thread->is_matrix && thread->job)
      tensor_execute(threads);
    release(threads, together);
    has_released = true;
  }
  return has_released;
}

// ------------------------------------------------------------ operations ---

uint32_t warp_meet(void) { return warp_vote_ballot(UINT32_MAX, 1); }

void warp_sync(uint32_t mask) { exchange(mask, 0, true); }

static uint32_t shuffle(uint32_t mask, uint32_t value, uint32_t from,
                        bool is_there) {
  exchange(mask, value, false);
  return machine.self->lanes[is_there ? from % LANES : own_lane()];
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
  return shuffle(mask, value, own_lane() - (by & 31),
                 warp_reaches_up(by, clamp));
}

uint32_t warp_shuffle_down(uint32_t mask, uint32_t value, uint32_t by,
                           uint32_t clamp) {
  return shuffle(mask, value, own_lane() + (by & 31),
                 warp_reaches_down(by, clamp));
}

uint32_t warp_shuffle_bfly(uint32_t mask, uint32_t value, uint32_t by,
                           uint32_t clamp) {
  return shuffle(mask, value, own_lane() ^ (by & 31),
                 warp_reaches_bfly(by, clamp));
}

uint32_t warp_shuffle_idx(uint32_t mask, uint32_t value, uint32_t lane,
                          uint32_t clamp) {
  return shuffle(mask, value, lane_of_segment(lane, clamp),
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

// The lanes that took part; those that have left the kernel gave nothing.
static uint32_t present(uint32_t mask) {
  Thread *warp = machine.self - own_lane();
  uint32_t lanes = 0;
  for (unsigned i = 0; i < LANES; i++)
    if (mask >> i & 1 && machine.self->index - own_lane() + i < machine.threads)
      lanes |= (uint32_t)(warp[i].state != THREAD_DONE) << i;
  return lanes;
}

uint32_t warp_vote_ballot(uint32_t mask, uint32_t vote) {
  uint32_t ballot = 0;
  exchange(mask, vote & 1, false);
  for (unsigned i = 0; i < LANES; i++)
    ballot |= machine.self->lanes[i] << i;
  return ballot;
}

uint8_t warp_vote_any(uint32_t mask, uint32_t vote) {
  return warp_vote_ballot(mask, vote) != 0;
}

uint8_t warp_vote_all(uint32_t mask, uint32_t vote) {
  return !warp_vote_any(mask, ~vote);
}

uint8_t warp_vote_uni(uint32_t mask, uint32_t vote) {
  uint32_t lanes = present(mask), ballot = warp_vote_ballot(mask, vote);
  return !ballot || ballot == lanes;
}

uint32_t warp_match_any(uint32_t mask, uint32_t value) {
  uint32_t lanes = present(mask), equal = 0;
  exchange(mask, value, false);
  for (unsigned i = 0; i < LANES; i++)
    if (lanes >> i & 1)
      equal |= (uint32_t)(machine.self->lanes[i] == value) << i;
  return equal;
}

uint32_t warp_match_any_long(uint32_t mask, uint64_t value) {
  uint32_t low = warp_match_any(mask, (uint32_t)value);
  return low & warp_match_any(mask, (uint32_t)(value >> 32));
}

uint32_t warp_match_all(uint32_t mask, uint32_t value) {
  uint32_t lanes = present(mask);
  return warp_match_any(mask, value) == lanes ? mask : 0;
}

uint32_t warp_match_all_long(uint32_t mask, uint64_t value) {
  uint32_t lanes = present(mask);
  return warp_match_any_long(mask, value) == lanes ? mask : 0;
}

typedef uint32_t Combine(uint32_t, uint32_t);

static uint32_t reduce(uint32_t value, uint32_t mask, Combine *combine) {
  uint32_t lanes = present(mask) & ~(UINT32_C(1) << own_lane());
  exchange(mask, value, false);
  for (unsigned i = 0; i < LANES; i++)
    if (lanes >> i & 1)
      value = combine(value, machine.self->lanes[i]);
  return value;
}

#define REDUCE(name, result)                                                   \
  static uint32_t combine_##name(uint32_t a, uint32_t b) { return result; }    \
  uint32_t warp_reduce_##name(uint32_t value, uint32_t mask) {                 \
    return reduce(value, mask, combine_##name);                                \
  }
REDUCE(add, a + b)
REDUCE(min, (int32_t)a < (int32_t)b ? a : b)
REDUCE(max, (int32_t)a > (int32_t)b ? a : b)
REDUCE(umin, a < b ? a : b)
REDUCE(umax, a > b ? a : b)
REDUCE(and, (a & b))
REDUCE(or, a | b)
REDUCE(xor, a ^ b)
#undef REDUCE
