// What the parts of the engine share: steps, memory, waiting, switching.
//
// It does what runtime/threads/world.c does on the processor, step by step, so
// that a schedule of the same number is the same there.  What calls it is code
// that was cut (cut.c): a function that answers 1 has stopped its thread, and
// is called `again` when the thread goes on.

#ifndef RUNTIME_INSTANCES_ENGINE_CUH
#define RUNTIME_INSTANCES_ENGINE_CUH

#include "runtime/instances/instance.h"
#include "runtime/threads/rules.h"

#define DEVICE static __attribute__((device))
#define INLINE DEVICE __attribute__((always_inline)) inline
#define OUT_OF_LINE DEVICE __attribute__((noinline))
// Called by the program.
// ... at each access, so that it stands there.
#define CALLED_OFTEN                                                           \
  extern "C" __attribute__((device, used, always_inline, visibility("hidden")))
#define CALLED extern "C" __attribute__((device, used, visibility("hidden")))

typedef unsigned char Byte;
typedef unsigned short Half;
typedef InstanceWord Word;
typedef InstanceLong Long;
typedef InstanceWorld World;
typedef InstanceThread Thread;

enum { DONE = 0, STOPPED = 1 };

enum { NULL_BYTES = 4096 };

INLINE Thread *self_of(World *w) { return &w->threads[w->self]; }

// ------------------------------------------------------------------ random ---

INLINE Long draw(Long *state) {
  Long x = *state += 0x9e3779b97f4a7c15ULL;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

INLINE Long below(Long *state, Long limit) {
  return (draw(state) >> 32) * limit >> 32;
}

// --------------------------------------------------------------- the bytes ---

DEVICE void fill(Byte *at, Byte value, Long bytes) {
  for (Long i = 0; i < bytes; i++)
    at[i] = value;
}

// From an address that words may have; up to a word more.
DEVICE void fill_words(Byte *at, Long word, Long bytes) {
  Long *to = (Long *)(void *)at;
  for (Long i = 0; i < bytes; i += sizeof word)
    *to++ = word;
}

// ------------------------------------------------------------------ ending ---

OUT_OF_LINE Word fail(World *w, Word mishap) {
  w->is_over = 1;
  w->end.mishap = mishap;
  w->end.site = w->site;
  w->end.thread = w->self;
  w->end.steps = w->steps;
  return STOPPED;
}

DEVICE Word end_with(World *w, Long status) {
  w->is_over = 1;
  w->end.status = (Word)status & 255;
  w->end.steps = w->steps;
  return STOPPED;
}

// ------------------------------------------------------------------- slots ---

INLINE bool is_ready(const Thread *thread) {
  return !thread->is_ended && (!thread->wait || thread->is_timed);
}

DEVICE void set_ready(World *w, Word slot) {
  w->ready[slot / 64] |= 1ULL << slot % 64;
  w->ready_count++;
}

DEVICE void clear_ready(World *w, Word slot) {
  w->ready[slot / 64] &= ~(1ULL << slot % 64);
  w->ready_count--;
}

enum { NOBODY = 0xffff };

// Words of slots that a schedule may use.
INLINE Word slot_words(const InstancePlan *plan) {
  Word words = (INSTANCE_FIRST_SLOT + plan->expected_threads + 8 + 63) / 64;
  return words > INSTANCE_WORDS ? (Word)INSTANCE_WORDS : words;
}

DEVICE void take_slot(World *w, Word thread, Word slot) {
  w->threads[thread].slot = slot;
  w->at_slot[slot] = (Half)thread;
  if (slot / 64 >= w->words)
    w->words = slot / 64 + 1;
}

DEVICE void move(World *w, Word thread, Word slot) {
  bool ready = is_ready(&w->threads[thread]);
  Word before = w->threads[thread].slot;
  if (ready)
    clear_ready(w, before);
  w->at_slot[before] = NOBODY;
  take_slot(w, thread, slot);
  if (ready)
    set_ready(w, slot);
}

// ---------------------------------------------------------------- policies ---

DEVICE void policy_begin(World *w);
DEVICE Word policy_at_point(World *w);
DEVICE Word policy_choose(World *w);
DEVICE void policy_add(World *w, Word thread);
DEVICE void policy_yield(World *w, Word thread);

// --------------------------------------------------------------- switching ---

enum { LARGE = INSTANCE_LARGE_STACKS };

INLINE Long stack_start(Word thread) {
  return thread < LARGE
             ? INSTANCE_STACKS + thread * INSTANCE_STACK_ROOM
             : INSTANCE_SMALL_STACKS + (thread - LARGE) * INSTANCE_SMALL_ROOM;
}

INLINE Long stack_room(Word thread) {
  return thread < LARGE ? INSTANCE_STACK_ROOM : INSTANCE_SMALL_ROOM;
}

INLINE bool is_of_stack(Long at) {
  return at - INSTANCE_STACKS < INSTANCE_END - INSTANCE_STACKS;
}

// Whose stack the address is of, which is of one.
INLINE Long stack_owner(Long at) {
  return at < INSTANCE_SMALL_STACKS
             ? (at - INSTANCE_STACKS) / INSTANCE_STACK_ROOM
             : LARGE + (at - INSTANCE_SMALL_STACKS) / INSTANCE_SMALL_ROOM;
}

DEVICE void enter(World *w, Word thread) {
  Thread *t = &w->threads[thread];
  w->self = thread;
  t->resumed_at = w->steps;
  w->own_at = stack_start(thread);
  w->own_bytes = t->is_published ? 0 : stack_room(thread);
}

// Did it switch?
DEVICE Word switch_to(World *w, Word next) {
  Thread *self = self_of(w);
  if (next == w->self)
    return DONE;
  self->steps += w->steps - self->resumed_at;
  w->trace = (w->trace ^ (w->steps << 16 | next)) * 0x9e3779b97f4a7c15ULL;
  enter(w, next);
  return STOPPED;
}

// ------------------------------------------------------------------ waiting
// ---

DEVICE Word give_way(World *w) {
  if (w->ready_count)
    return switch_to(w, policy_choose(w));
  for (Word i = 0; i < w->count; i++)
    if (w->threads[i].wait)
      w->site = w->threads[i].wait_site;
  return fail(w, INSTANCE_DEADLOCK);
}

DEVICE void begin_wait(World *w, Word wait, Long object) {
  Thread *self = self_of(w);
  w->steps++;
  self->wait = wait;
  self->wait_for = object;
  self->waits_since = w->steps;
  self->wait_site = w->site;
}

// The caller stops, and goes on where it has been woken.
DEVICE Word wait_for(World *w, Word wait, Long object) {
  clear_ready(w, self_of(w)->slot);
  begin_wait(w, wait, object);
  return give_way(w);
}

// It is of no use that the thread goes on.
DEVICE void yield(World *w, Word thread) {
  w->end.has_yielded = 1;
  policy_yield(w, thread);
}

INLINE void woken(World *w) { w->site = self_of(w)->wait_site; }

// False: its time was over before it was woken.
DEVICE bool woken_in_time(World *w) {
  Thread *self = self_of(w);
  bool is_late = self->is_timed;
  self->is_timed = 0;
  self->wait = WAIT_NOT;
  woken(w);
  if (is_late && self->until > w->now)
    w->now = self->until;
  return !is_late;
}

DEVICE void wake(World *w, Thread *thread) {
  if (!thread->wait)
    return;
  thread->wait = WAIT_NOT;
  if (!thread->is_timed)
    set_ready(w, thread->slot);
  thread->is_timed = 0;
  w->changed = w->steps;
  w->event = w->steps;
}

OUT_OF_LINE void wake_all(World *w, Word wait, Long object) {
  for (Word i = 0; i < w->count; i++)
    if (w->threads[i].wait == wait && w->threads[i].wait_for == object)
      wake(w, &w->threads[i]);
}

DEVICE Word leave(World *w) {
  Thread *self = self_of(w);
  clear_ready(w, self->slot);
  self->is_ended = 1;
  wake_all(w, WAIT_JOIN, w->self);
  if (++w->ended == w->count)
    return end_with(w, 0);
  return give_way(w);
}

// ------------------------------------------------------------------- steps ---

INLINE void ask_at(World *w, Long when) {
  if (when < w->event)
    w->event = when;
}

// Whether it is endless, or only too long, the processor has to say.
DEVICE Word check_limit(World *w) {
  return w->steps < w->plan->limit ? (Word)DONE : fail(w, INSTANCE_BEYOND);
}

// At certain steps alone a thread that only looks has to wait.
DEVICE bool spins(const World *w) {
  Long looks = w->steps - w->changed;
  return looks >= SPIN_STEPS && (looks - SPIN_STEPS) % SPIN_AGAIN == 0 &&
         w->ready_count > 1;
}

DEVICE Long next_spin(const World *w) {
  Long looks = w->steps - w->changed;
  return looks < SPIN_STEPS
             ? w->changed + SPIN_STEPS
             : w->steps + SPIN_AGAIN - (looks - SPIN_STEPS) % SPIN_AGAIN;
}

DEVICE Word step_back(World *w) {
  yield(w, w->self);
  return switch_to(w, policy_choose(w));
}

OUT_OF_LINE Word ask_policy(World *w) {
  if (check_limit(w))
    return STOPPED;
  w->event = w->steps + EVENT_WINDOW;
  ask_at(w, next_spin(w));
  ask_at(w, w->plan->limit);
  if (switch_to(w, policy_at_point(w)))
    return STOPPED;
  return spins(w) ? step_back(w) : DONE;
}

INLINE Word step(World *w) {
  w->ticks = 0;
  return ++w->steps < w->event ? DONE : ask_policy(w);
}

// A step within a function of the library: the site is the thread's own.
INLINE Word library_step(World *w) {
  self_of(w)->site = w->site;
  return step(w);
}

INLINE void library_on(World *w) { w->site = self_of(w)->site; }

// ------------------------------------------------------------------ memory ---

INLINE bool is_in_heap(Long at) {
  return at - INSTANCE_HEAP < INSTANCE_HEAP_ROOM;
}

INLINE bool is_program_memory(Long at, Long bytes) {
  return at >= INSTANCE_GLOBALS && at < INSTANCE_END &&
         bytes <= INSTANCE_END - at;
}

INLINE bool is_own(const World *w, Long at) {
  return at - w->own_at < w->own_bytes;
}

INLINE bool lies_in(Long offset, Long bytes, Long room) {
  return offset < room && bytes <= room - offset;
}

// Behind each stack's end so many bytes are there.
DEVICE Byte *on_stack(const World *w, Long at, Long bytes) {
  Long thread = stack_owner(at);
  Long end = stack_start((Word)thread) + stack_room((Word)thread);
  Long offset = w->plan->stack_bytes - (end - at);
  if (thread >= w->count || !lies_in(offset, bytes, w->plan->stack_bytes))
    return nullptr;
  return w->stacks + thread * w->plan->stack_bytes + offset;
}

DEVICE const Byte *shared_by_all(const World *w, Long at, Long bytes) {
  const InstancePlan *plan = w->plan;
  if (lies_in(at - INSTANCE_CONSTANTS, bytes, plan->constants_bytes))
    return (const Byte *)plan->constants + (at - INSTANCE_CONSTANTS);
  if (lies_in(at - INSTANCE_GLOBALS, bytes, plan->globals_bytes))
    return (const Byte *)plan->globals + (at - INSTANCE_GLOBALS);
  return nullptr;
}

OUT_OF_LINE Byte *other_place(World *w, Long at, Long bytes, Word writes) {
  Byte *place = nullptr;
  if (is_of_stack(at))
    place = on_stack(w, at, bytes);
  else if (!writes)
    place = const_cast<Byte *>(shared_by_all(w, at, bytes));
  if (!place)
    fail(w, at < NULL_BYTES ? INSTANCE_CRASH : INSTANCE_BEYOND);
  return place;
}

// Where it is; NULL: the instance has ended.
INLINE Byte *place_of(World *w, Long at, Long bytes, Word writes) {
  Long global = at - (INSTANCE_GLOBALS + INSTANCE_LIBRARY_BYTES);
  if (lies_in(global, bytes, w->plan->own_bytes))
    return w->globals + global;
  if (lies_in(at - INSTANCE_HEAP, bytes, w->plan->heap_bytes))
    return w->heap + (at - INSTANCE_HEAP);
  return other_place(w, at, bytes, writes);
}

// ---------------------------------------------------------------- accesses ---

DEVICE void note_stack(World *w, Long at) {
  if (is_of_stack(at) && stack_owner(at) < w->count)
    w->threads[stack_owner(at)].is_published = 1;
}

enum { FREED = 255 };

OUT_OF_LINE Word check_block(World *w, Long at, Long bytes) {
  Long offset = at - INSTANCE_HEAP;
  while (bytes) {
    Long inside = offset % GRANULE,
         here = bytes < GRANULE - inside ? bytes : GRANULE - inside;
    Word cell =
        offset < w->plan->heap_bytes ? w->granules[offset / GRANULE] : 0;
    if (cell == FREED || inside + here > cell)
      return fail(w, cell == FREED ? INSTANCE_USE_AFTER_FREE
                                   : INSTANCE_OUT_OF_BOUNDS);
    offset += here;
    bytes -= here;
  }
  return DONE;
}

INLINE Word check(World *w, Long at, Long bytes) {
  return is_in_heap(at) ? check_block(w, at, bytes) : DONE;
}

OUT_OF_LINE Word look_elsewhere(World *w, Long at, Long bytes, Word writes) {
  if (writes && !is_program_memory(at, bytes))
    return fail(w, INSTANCE_CRASH);
  note_stack(w, at);
  return DONE;
}

INLINE Word look(World *w, Long at, Long bytes, Word writes) {
  if (is_in_heap(at)) {
    if (check_block(w, at, bytes))
      return STOPPED;
  } else if (at >= INSTANCE_STACKS || at < INSTANCE_GLOBALS) {
    if (look_elsewhere(w, at, bytes, writes))
      return STOPPED;
  }
  if (writes)
    w->changed = w->steps;
  return DONE;
}

INLINE Word touch(World *w, Long at, Long bytes, Word writes) {
  return bytes && !is_own(w, at) ? look(w, at, bytes, writes) : DONE;
}

#endif
