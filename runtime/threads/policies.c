// What policies share: who is ready, and slots by which threads are ordered.
//
// Of those who can go on each has a bit, at its slot.  A policy that has
// priorities gives the higher slot to the higher priority.  Slots are drawn
// without replacement, one for each thread when it is created, from more slots
// than there will be threads, so all orders of the threads are equally likely.

#include "runtime/threads/world.h"

#include <assert.h>
#include <string.h>

// ------------------------------------------------------------------- table ---

#define POLICY(name, help) extern const SchedulePolicy policy_##name;
#include "runtime/threads/policies.def"
#undef POLICY

const SchedulePolicy *policy_of(PolicyKind kind) {
  static const SchedulePolicy *const policies[] = {
#define POLICY(name, help) &policy_##name,
#include "runtime/threads/policies.def"
#undef POLICY
  };
  assert(kind < POLICIES);
  return policies[kind];
}

static const char *const names[] = {
#define POLICY(name, help) #name,
#include "runtime/threads/policies.def"
#undef POLICY
};

const char *policy_name(PolicyKind kind) { return names[kind]; }

PolicyKind policy_by_name(const char *name) {
  PolicyKind kind = 0;
  while (kind < POLICIES && strcmp(names[kind], name) != 0)
    kind++;
  return kind;
}

void policy_ask_at(uint64_t step) {
  if (step < world.event)
    world.event = step;
}

// ------------------------------------------------------------------- ready ---

PosixThread *ready_highest(void) {
  unsigned word = world.words;
  while (word-- && !world.ready[word])
    continue;
  assert(word < world.words);
  return world
      .at_slot[word * 64 + 63 - (unsigned)__builtin_clzll(world.ready[word])];
}

PosixThread *ready_any(uint64_t *random) {
  unsigned word = 0, nth = (unsigned)world_below(random, world.ready_count);
  for (unsigned here;
       nth >= (here = (unsigned)__builtin_popcountll(world.ready[word]));
       word++)
    nth -= here;
  uint64_t bits = world.ready[word];
  while (nth--)
    bits &= bits - 1;
  return world.at_slot[word * 64 + (unsigned)__builtin_ctzll(bits)];
}

PosixThread *ready_after(const PosixThread *thread) {
  uint32_t places = world_places();
  for (uint32_t i = 1; i <= places; i++) {
    PosixThread *next = world.at_place[(thread->place + i) % places];
    if (thread_is_ready(next))
      return next;
  }
  assert(!"nobody is ready");
  return NULL;
}

void policy_no_yield(PosixThread *thread) { (void)thread; }

void policy_in_order(PosixThread *thread) { thread->slot = thread->place; }

// -------------------------------------------------------------------- pool ---

static SlotPool pool;

// Lazily shuffled; what the last schedule has moved is put back.
static void put_back_pool(void) {
  for (unsigned i = 0; i < pool.size; i++)
    pool.at[i] = (uint16_t)(FIRST_SLOT + i);
}

void pool_begin(uint64_t random, unsigned threads) {
  unsigned words = (FIRST_SLOT + threads + 8 + 63) / 64;
  if (words > SLOT_WORDS)
    words = SLOT_WORDS;
  if (pool.size != words * 64 - FIRST_SLOT || pool.taken) {
    pool.size = words * 64 - FIRST_SLOT;
    put_back_pool();
  }
  pool.random = random;
  pool.taken = 0;
  pool.bottom = ABOVE_LOWERED;
  pool.lowest = MOST_DEPTH;
}

// Of a thread that has ended, by lot.
static unsigned freed_slot(void) {
  enum { POOL = SLOTS - FIRST_SLOT };
  unsigned which = (unsigned)world_below(&pool.random, POOL);
  while (world.at_slot[FIRST_SLOT + which])
    which = (which + 1) % POOL;
  return FIRST_SLOT + which;
}

// Of more threads than were expected the order is no longer by lot.
static void enlarge_pool(void) {
  unsigned old = pool.size;
  pool.size += 64;
  assert(FIRST_SLOT + pool.size <= SLOTS);
  for (unsigned i = old; i < pool.size; i++)
    pool.at[i] = (uint16_t)(FIRST_SLOT + i);
}

void pool_add(PosixThread *thread) {
  if (pool.taken == pool.size && FIRST_SLOT + pool.size == SLOTS) {
    thread->slot = freed_slot();
    return;
  }
  if (pool.taken == pool.size)
    enlarge_pool();
  unsigned which =
      pool.taken + (unsigned)world_below(&pool.random, pool.size - pool.taken);
  uint16_t slot = pool.at[which];
  pool.at[which] = pool.at[pool.taken];
  pool.at[pool.taken++] = slot;
  thread->slot = slot;
}

// Below the pool threads stand by level: those that were lowered at the rank of
// that, and below them those that gave way while it was the lowest one.  So who
// gives way is below all others, but above who is lowered to a lower rank
// later, as if it had been lowered at a step between theirs: otherwise nothing
// could come between two steps of a thread but what has never given way.
// Without threads that give way the order is PCT's: by rank.

// The lowest slots are used up: all that are there move up.
static void lift_bottom(void) {
  unsigned to = ABOVE_LOWERED;
  for (unsigned slot = ABOVE_LOWERED; slot-- > pool.bottom;) {
    PosixThread *thread = world.at_slot[slot];
    if (!thread)
      continue;
    pool.levels[--to] = pool.levels[slot];
    if (to != slot)
      world_move(thread, to);
  }
  pool.bottom = to;
}

// The lowest one that was drawn and is nobody's now, as those of all that are
// below; others may still be drawn.
static unsigned left_slot(void) {
  unsigned lowest = SLOTS;
  for (unsigned i = 0; i < pool.taken; i++)
    if (pool.at[i] < lowest && !world.at_slot[pool.at[i]])
      lowest = pool.at[i];
  return lowest;
}

// More threads than there are low slots share no order that matters: one of
// them goes to the pool again.
static void make_room(void) {
  lift_bottom();
  if (pool.bottom > SPARE_SLOT + 1)
    return;
  world_move(world.at_slot[ABOVE_LOWERED - 1], left_slot());
  lift_bottom();
}

// Below those of this level and above it, which make room.
static void put_at_level(PosixThread *thread, unsigned level) {
  if (pool.bottom == SPARE_SLOT + 1)
    make_room();
  world_move(thread, SPARE_SLOT);
  unsigned slot = pool.bottom;
  for (; slot < ABOVE_LOWERED; slot++) {
    PosixThread *other = world.at_slot[slot];
    if (other && pool.levels[slot] >= level)
      break;
    pool.levels[slot - 1] = pool.levels[slot];
    if (other)
      world_move(other, slot - 1);
  }
  pool.levels[slot - 1] = (uint8_t)level;
  world_move(thread, slot - 1);
  pool.bottom--;
}

void pool_to_bottom(PosixThread *thread) { put_at_level(thread, pool.lowest); }

void pool_yield(PosixThread *thread) {
  if (!thread->is_timed || world_draw(&world.random) & 1)
    pool_to_bottom(thread);
}

void pool_lower(PosixThread *thread, unsigned rank) {
  if (rank < pool.lowest)
    pool.lowest = rank;
  put_at_level(thread, rank);
}
