// One run of a program: one thread goes on at a time.
//
// Threads are fibers.  Before each access that others may see the program
// calls us; we count the step, and when the policy's next event is due, or the
// thread cannot go on, another fiber does.  A run ends when main does, when
// something goes wrong, or when nobody can go on; then the fibers are just
// left, and the next run begins with what this one has written put back.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

World world;

// ------------------------------------------------------------------ random ---

uint64_t world_draw(uint64_t *state) {
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

uint64_t world_below(uint64_t *state, uint64_t limit) {
  // Of 32 bits, which is enough: no limit is near them.
  return (world_draw(state) >> 32) * limit >> 32;
}

// ------------------------------------------------------------------- slots ---

static void set_ready(PosixThread *thread) {
  world.ready[thread->slot / 64] |= UINT64_C(1) << thread->slot % 64;
  world.ready_count++;
}

static void clear_ready(PosixThread *thread) {
  world.ready[thread->slot / 64] &= ~(UINT64_C(1) << thread->slot % 64);
  world.ready_count--;
}

void world_move(PosixThread *thread, unsigned slot) {
  bool is_ready = thread_is_ready(thread);
  assert(slot < SLOTS && !world.at_slot[slot]);
  if (is_ready)
    clear_ready(thread);
  world.at_slot[thread->slot] = NULL;
  thread->slot = slot;
  world.at_slot[slot] = thread;
  if (slot / 64 >= world.words)
    world.words = slot / 64 + 1;
  if (is_ready)
    set_ready(thread);
}

// --------------------------------------------------------------- switching ---

static void note_deviation(PosixThread *from, PosixThread *to, bool is_forced) {
  ThreadSchedule *record = world.record;
  if (!record)
    return;
  if (record->count == MOST_DEVIATIONS) {
    record->is_cut = true;
    return;
  }
  record->at[record->count++] = (Deviation){
      from->index, (uint32_t)world_own_steps(), to->index, is_forced};
}

// What the accesses of the running thread look at.
static void enter(PosixThread *thread) {
  world.self = thread;
  world.tls = thread->tls;
  world.caller = thread->caller;
  thread->resumed_at = world.steps;
  world.own_at = stack_at(thread->place);
  world.own_bytes = thread->is_published ? 0 : stack_bytes(thread->place);
}

static void switch_to(PosixThread *next, bool is_forced) {
  PosixThread *self = world.self;
  if (next != self || is_forced)
    note_deviation(self, next, is_forced);
  if (next != self)
    world_go_on(next);
}

void world_go_on(PosixThread *next) {
  PosixThread *self = world.self;
  self->steps = world_own_steps();
  self->caller = world.caller;
  world.trace = (world.trace ^ (world.steps << 16 | next->index)) *
                UINT64_C(0x9e3779b97f4a7c15);
  enter(next);
  fiber_switch(&self->fiber, &next->fiber);
}

uint64_t world_own_steps(void) {
  return world.self->steps + world.steps - world.self->resumed_at;
}

// ------------------------------------------------------------------ ending ---

_Noreturn void world_end(void) {
  world.is_in_program = false;
  world.end.steps = world.steps;
  fiber_switch(&world.self->fiber, &world.controller);
  abort(); // nobody comes back
}

_Noreturn void world_fail(Mishap mishap, const char *format, ...) {
  va_list arguments;
  world.end.mishap = mishap;
  world.end.site = world_place();
  world.end.thread = world.self->index;
  va_start(arguments, format);
  vsnprintf(world.end.text, sizeof world.end.text, format, arguments);
  va_end(arguments);
  world_end();
}

// ---------------------------------------------------------------- waiting ---

static const char *wait_name(ThreadWait wait) {
  switch (wait) {
  case WAIT_NOT:
    break;
  case WAIT_MUTEX:
    return "a mutex";
  case WAIT_CONDITION:
    return "a condition variable";
  case WAIT_READ_LOCK:
    return "a lock, to read";
  case WAIT_WRITE_LOCK:
    return "a lock, to write";
  case WAIT_BARRIER:
    return "a barrier";
  case WAIT_SEMAPHORE:
    return "a semaphore";
  case WAIT_ONCE:
    return "pthread_once";
  case WAIT_JOIN:
    return "a thread to end";
  case WAIT_FUTEX:
    return "a futex";
  }
  return "nothing";
}

// "thread 1 waits for a mutex that thread 2 has (a.c:3)"
static size_t tell_wait(char *text, size_t room, const PosixThread *thread) {
  int owner = posix_owner(thread), bytes;
  const char *where = world_site_text(thread->wait_place);
  if (thread->wait == WAIT_JOIN)
    bytes = snprintf(text, room, "thread %u waits for thread %d to end (%s)",
                     thread->index, owner, where);
  else if (owner >= 0)
    bytes =
        snprintf(text, room, "thread %u waits for %s that thread %d has (%s)",
                 thread->index, wait_name(thread->wait), owner, where);
  else
    bytes = snprintf(text, room, "thread %u waits for %s (%s)", thread->index,
                     wait_name(thread->wait), where);
  return (size_t)bytes;
}

static _Noreturn void tell_deadlock(void) {
  char text[MISHAP_TEXT] = "";
  size_t used = 0;
  for (uint32_t i = 0; i < world.count; i++) {
    const PosixThread *thread = &world.threads[i];
    if (!thread->wait || used + 3 >= sizeof text)
      continue;
    if (used)
      used += (size_t)snprintf(text + used, sizeof text - used, "; ");
    used += tell_wait(text + used, sizeof text - used, thread);
    world.site = thread->wait_place;
  }
  world.caller = 0;
  world_fail(MISHAP_DEADLOCK, "%s", text);
}

static PosixThread *somebody(void) {
  if (!world.ready_count)
    tell_deadlock();
  return world.policy->choose();
}

// It is of no use that the thread goes on.
static void yield(PosixThread *thread) {
  world.has_yielded = true;
  world.policy->yield(thread);
}

static void give_way(void) {
  if (world.is_judged)
    endless_not();
  switch_to(somebody(), true);
}

static void begin_wait(ThreadWait wait, const void *object) {
  PosixThread *self = world.self;
  world.steps++; // no two waits of a thread have the same number
  world.waiting++;
  self->wait = wait;
  self->wait_for = object;
  self->waits_since = world.steps;
  self->pending = (PosixDeed){(uint64_t)(uintptr_t)object, 1, world.site, true};
  self->wait_site = world.site;
  self->wait_place = world_place();
}

void world_wait(ThreadWait wait, const void *object) {
  world.self->stopped_at = __builtin_frame_address(0);
  clear_ready(world.self);
  begin_wait(wait, object);
  give_way();
  assert(!world.self->wait);
  world.site = world.self->wait_site;
}

// It may go on at any time, for nobody knows how long the others take.
bool world_wait_timed(ThreadWait wait, const void *object) {
  PosixThread *self = world.self;
  self->stopped_at = __builtin_frame_address(0);
  begin_wait(wait, object);
  self->is_timed = true;
  yield(self);
  give_way();
  bool is_late = self->is_timed;
  self->is_timed = false;
  world.waiting -= self->wait != WAIT_NOT;
  self->wait = WAIT_NOT;
  world.site = self->wait_site;
  return !is_late;
}

// Nobody wakes up without reason any more.
static void end_spurious(void) {
  for (uint32_t i = 0; i < world.count; i++) {
    PosixThread *thread = &world.threads[i];
    if (!thread->is_spurious || !thread->is_timed)
      continue;
    thread->is_timed = false;
    clear_ready(thread);
  }
}

void world_wait_spurious(ThreadWait wait, const void *object) {
  if (!world.spurious) {
    world_wait(wait, object);
    return;
  }
  world.self->is_spurious = true;
  bool is_woken = world_wait_timed(wait, object);
  world.self->is_spurious = false;
  if (!is_woken && !--world.spurious)
    end_spurious();
}

void world_wake(PosixThread *thread) {
  if (!thread->wait)
    return;
  world.waiting--;
  thread->wait = WAIT_NOT;
  if (!thread->is_timed)
    set_ready(thread);
  thread->is_timed = false;
  world.changed = world.steps;
  world.event = world.steps; // it may come first now
}

static bool waits_for(const PosixThread *thread, ThreadWait wait,
                      const void *object) {
  return thread->wait == wait && thread->wait_for == object;
}

void world_wake_all(ThreadWait wait, const void *object) {
  uint32_t left = world.waiting;
  for (PosixThread *thread = world.threads; left; thread++) {
    assert(thread < world.threads + world.count);
    left -= thread->wait != WAIT_NOT;
    if (waits_for(thread, wait, object))
      world_wake(thread);
  }
}

bool world_wake_longest(ThreadWait wait, const void *object) {
  PosixThread *longest = NULL;
  uint32_t left = world.waiting;
  for (PosixThread *thread = world.threads; left; thread++) {
    assert(thread < world.threads + world.count);
    left -= thread->wait != WAIT_NOT;
    if (waits_for(thread, wait, object) &&
        (!longest || thread->waits_since < longest->waits_since))
      longest = thread;
  }
  if (longest)
    world_wake(longest);
  return longest;
}

// Main has left before, and so have all others: the process ends.
static _Noreturn void leave_last(void) {
  for (uint32_t i = 0; i < world.count; i++)
    races_join(&world.threads[i]);
  posix_exit(0);
}

_Noreturn void world_leave(void) {
  PosixThread *self = world.self;
  self->has_returned = true;
  self->has_left = true;
  if (self->held_count)
    held_leave();
  if (world.ended + 1 == world.count)
    leave_last();
  self->stopped_at = __builtin_frame_address(0);
  clear_ready(self);
  self->is_ended = true;
  world.ended++;
  world_wake_all(WAIT_JOIN, self);
  give_way();
  abort(); // nobody comes back
}

// ------------------------------------------------------------------- steps ---

// The running thread has only looked for a while: others may have to act.  At
// certain steps alone, so that it is the same whenever a policy is asked: a
// schedule repeats by its switches.
static bool spins(void) {
  uint64_t looks = world.steps - world.changed;
  return looks >= SPIN_STEPS && (looks - SPIN_STEPS) % SPIN_AGAIN == 0 &&
         world.ready_count > 1;
}

static uint64_t next_spin(void) {
  uint64_t looks = world.steps - world.changed;
  if (looks < SPIN_STEPS)
    return world.changed + SPIN_STEPS;
  return world.steps + SPIN_AGAIN - (looks - SPIN_STEPS) % SPIN_AGAIN;
}

static void step_back(void) {
  yield(world.self);
  switch_to(world.policy->choose(), true);
}

static __attribute__((noinline)) void ask_policy(void) {
  world.self->stopped_at = __builtin_frame_address(0);
  if (world.steps >= world.limit) {
    endless_look();
    return;
  }
  world.event = world.steps + EVENT_WINDOW;
  policy_ask_at(next_spin());
  policy_ask_at(world.limit);
  PosixThread *next = world.policy->at_point();
  switch_to(next, false);
  if (next == world.self && spins())
    step_back();
}

static inline bool is_in_heap(const void *at) {
  return (uint64_t)(uintptr_t)at - HEAP_AT < HEAP_BYTES;
}

static inline void step(const void *at, uint32_t bytes, bool is_write,
                        uint32_t site) {
  if (__builtin_expect(++world.steps < world.event, 1))
    return;
  world.self->pending =
      (PosixDeed){(uint64_t)(uintptr_t)at, bytes, site, is_write};
  ask_policy();
}

void world_step(const void *at, uint32_t bytes, bool is_write) {
  uint32_t site = world.site;
  step(at, bytes, is_write, site);
  world.site = site;
  if (bytes)
    world_check(at, bytes);
  world.self->pending = (PosixDeed){0};
}

void world_yield(void) {
  uint32_t site = world.site;
  world_step(NULL, 0, false);
  world.self->stopped_at = __builtin_frame_address(0);
  if (world.ready_count > 1 && !world.is_judged)
    step_back();
  world.site = site;
}

// Nobody knows how long the others take meanwhile.  Who sleeps for centuries
// turns no clock back.
void world_sleep(uint64_t nanoseconds) {
  uint64_t left = LAST_TIME > world.now ? LAST_TIME - world.now : 0;
  world.now += nanoseconds < left ? nanoseconds : left;
  world_yield();
}

// ---------------------------------------------------------------- accesses ---

bool world_is_own(const void *at) {
  return (uint64_t)(uintptr_t)at - world.own_at < world.own_bytes;
}

bool world_is_program_memory(const void *at, uint64_t bytes) {
  uint64_t first = (uint64_t)(uintptr_t)at;
  if (first < CONSTANTS_AT)
    return first >= GLOBALS_AT &&
           first + bytes <= GLOBALS_AT + world.globals_bytes;
  return first < END_OF_WORLD && bytes <= END_OF_WORLD - first;
}

// What it may read there is the library's, such as tables of characters.
static __attribute__((noinline)) void wild(const void *at) {
  world_fail(MISHAP_CRASH, "writes to address %p, where it has no memory", at);
}

void world_written(const void *at, uint64_t bytes) {
  uint64_t first = (uint64_t)(uintptr_t)at - GLOBALS_AT;
  world.changed = world.steps;
  if (first >= CONSTANTS_AT - GLOBALS_AT)
    return;
  if (first >= world.globals_bytes || bytes > world.globals_bytes - first)
    wild(at);
  uint64_t last = (first + (bytes ? bytes - 1 : 0)) >> CHUNK_BITS;
  for (uint64_t i = first >> CHUNK_BITS; i <= last; i++)
    if (!world.dirty[i]) {
      world.dirty[i] = 1;
      world.dirty_list[world.dirty_count++] = (uint32_t)i;
    }
}

static __attribute__((noinline)) void tell_deed(const void *at, uint64_t bytes,
                                                bool is_write) {
  ThreadDeeds *deeds = world.deeds;
  if (world.watches_races)
    races_access(at, bytes, is_write);
  if (!deeds)
    return;
  if (deeds->count == MOST_DEEDS)
    deeds->is_cut = true;
  else
    deeds->at[deeds->count++] =
        (ThreadDeed){.thread = world.self->index,
                     .site = world.site,
                     .at = (uint64_t)(uintptr_t)at,
                     .kind = is_write ? DEED_WRITE : DEED_READ,
                     .place = world_place()};
}

// Memory of another's stack has more than one user from here on; if that thread
// is no more, neither are its variables.  Main's stack stays where it is.
static void note_stack(const void *at, bool is_write, const void *end) {
  uint64_t address = (uint64_t)(uintptr_t)at;
  if (!is_of_stack(address) || stack_owner(address) >= world.count)
    return;
  PosixThread *owner = world.at_place[stack_owner(address)];
  if (owner->is_ended && owner->index)
    world_fail(MISHAP_USE_AFTER_FREE,
               "%s a variable of thread %u, which has ended",
               is_write ? "writes" : "reads", owner->index);
  scopes_check(owner, address, is_write, end);
  owner->is_published = true;
}

// It is memory, which is somebody's.
static inline void require(const void *at, uint64_t bytes, bool is_write,
                           const void *end) {
  if (is_in_heap(at))
    block_check(at, bytes, is_write);
  else if ((uint64_t)(uintptr_t)at >= STACKS_AT ||
           (uint64_t)(uintptr_t)at < GLOBALS_AT) {
    if (is_write && !world_is_program_memory(at, bytes))
      wild(at);
    note_stack(at, is_write, end);
  }
}

void world_check(const void *at, uint32_t bytes) {
  if (!world_is_own(at))
    require(at, bytes, true, NULL);
}

// What an access does that is no step.  `end` is where the program's frames
// begin; NULL: it is an access of ours, for the program.
static inline void look(const void *at, uint64_t bytes, bool is_write,
                        const void *end) {
  require(at, bytes, is_write, end);
  if (__builtin_expect(world.observes, 0))
    tell_deed(at, bytes, is_write);
  if (is_write)
    world_written(at, bytes);
}

// False: it is nobody else's business.
static inline bool step_to(const void *at, uint64_t bytes, bool is_write,
                           uint32_t site) {
  if (world_is_own(at))
    return false;
  step(at, (uint32_t)bytes, is_write, site);
  world.site = site;
  return true;
}

static inline void access_memory(const void *at, uint64_t bytes, bool is_write,
                                 uint32_t site) {
  if (step_to(at, bytes, is_write, site))
    look(at, bytes, is_write, __builtin_dwarf_cfa());
}

void threads_read(const char *at, uint32_t site) {
  access_memory(at, world.sites[site].bytes, false, site);
}

void threads_write(const char *at, uint32_t site) {
  access_memory(at, world.sites[site].bytes, true, site);
}

// Whether it changes anything, threads_changed says.
void threads_atomic(const char *at, uint32_t site) {
  const DeedSite *deed = &world.sites[site];
  bool writes = deed->kind == DEED_ATOMIC_WRITE;
  if (step_to(at, deed->bytes, writes, site)) {
    uint64_t changed = world.changed;
    look(at, deed->bytes, writes, __builtin_dwarf_cfa());
    world.changed = changed;
  }
  if (world.watches_races)
    races_atomic(at, deed);
}

void threads_fence(bool acquires, bool releases) {
  if (world.watches_races)
    races_fence(acquires, releases);
}

void threads_changed(bool is_changed) {
  if (is_changed)
    world.changed = world.steps;
}

void threads_meet(void) { world_step(NULL, 0, true); }

static bool is_constant(const void *at) {
  return (uint64_t)(uintptr_t)at - CONSTANTS_AT < CONSTANTS_BYTES;
}

void world_touch(const void *at, uint64_t bytes, bool is_write) {
  if (bytes && !world_is_own(at) && (is_write || !is_constant(at)))
    look(at, bytes, is_write, NULL);
}

// Both accesses are one step, since nobody else comes between them.
void threads_copy(char *to, const char *from, uint64_t bytes, uint32_t site) {
  if (!bytes || (world_is_own(from) && world_is_own(to)))
    return;
  step(NULL, 0, true, site);
  world.site = site;
  world_touch(from, bytes, false);
  world_touch(to, bytes, true);
}

static bool is_seen_by_others(const void *at) {
  return (uint64_t)(uintptr_t)at - GLOBALS_AT < END_OF_WORLD - GLOBALS_AT &&
         !is_constant(at) && !world_is_own(at);
}

void threads_library_enter(const void *object, const void *other) {
  if (is_seen_by_others(object) || is_seen_by_others(other))
    threads_meet();
}

// Its own variables are locked by nobody.
void threads_library_access(const void *at, uint64_t bytes, bool is_write) {
  uint64_t address = (uint64_t)(uintptr_t)at;
  bool is_its_own =
      address - world.library_at < world.library_end - world.library_at;
  if (!is_its_own)
    world_touch(at, bytes, is_write);
  else if (is_write)
    world_written(at, bytes);
}

void threads_fill(char *to, uint64_t bytes, uint32_t site) {
  if (bytes)
    access_memory(to, bytes, true, site);
}

void threads_publish(const void *at) {
  if (world_is_own(at)) {
    world.self->is_published = true;
    world.own_bytes = 0;
  }
}

// ----------------------------------------------------------------- threads ---

static void begin_thread(void *data) {
  PosixThread *self = data;
  posix_meet_before_call();
  void *result = self->c11 ? (void *)(intptr_t)self->c11(self->argument)
                           : self->body(self->argument);
  posix_thread_end(result);
}

static void begin_main(void *data) {
  const ThreadsQuestion *question = data;
  char **argv = posix_arguments();
  int status =
      question->image->main(question->argc, argv, argv + question->argc + 1);
  world.self->has_returned = true;
  world_step(NULL, 0, true); // the others may come as far as they like
  posix_exit(status);
}

// A page that nobody may touch below the stack, once for all runs.
static void guard_stack(const PosixThread *thread) {
  static uint32_t guarded;
  if (thread->place < guarded)
    return;
  guarded = thread->place + 1;
  mprotect((void *)(uintptr_t)stack_at(thread->place), 4096, PROT_NONE);
}

const char *world_stack_end(const PosixThread *thread) {
  uint64_t end = stack_at(thread->place) + stack_bytes(thread->place);
  return (const char *)(uintptr_t)end;
}

static char *new_tls(PosixThread *thread) {
  char *end = (char *)(uintptr_t)world_stack_end(thread);
  uint64_t bytes = (world.tls_bytes + 63) / 64 * 64;
  if (!bytes)
    return NULL;
  memcpy(end - bytes, world.tls_image, world.tls_bytes);
  return end - bytes;
}

// Below the thread-local variables, which are at the end of the stack.
static void start_fiber(PosixThread *thread) {
  uint64_t taken = (world.tls_bytes + 63) / 64 * 64, place = thread->place;
  uint64_t bytes = stack_bytes(place);
  bool is_main = !thread->index;
  Stacks alike = {.at = (char *)(uintptr_t)(stack_at(place) - place * bytes),
                  .stride = bytes};
  alike.at -= taken;
  fiber_start(&thread->fiber, &alike, thread->place,
              is_main ? begin_main : begin_thread,
              is_main ? (void *)(uintptr_t)world.question : (void *)thread);
}

// One of its own for each of the first threads; those behind take the lowest
// one whose thread has ended.
static uint32_t free_place(void) {
  uint32_t place = world.count;
  if (place < MOST_PLACES)
    return place;
  for (place = 1; place < MOST_PLACES; place++)
    if (world.at_place[place]->is_ended)
      break;
  if (place == MOST_PLACES)
    world_fail(MISHAP_REFUSED, "the program has more than %d threads at once",
               MOST_PLACES);
  world.at_slot[world.at_place[place]->slot] = NULL;
  return place;
}

PosixThread *world_add_thread(void *(*body)(void *), void *argument) {
  if (world.count == MOST_PROGRAM_THREADS)
    world_fail(MISHAP_REFUSED, "the program has more than %d threads",
               MOST_PROGRAM_THREADS);
  PosixThread *thread = &world.threads[world.count];
  uint32_t place = free_place();
  *thread = (PosixThread){.index = world.count++,
                          .place = place,
                          .body = body,
                          .argument = argument};
  world.at_place[place] = thread;
  guard_stack(thread);
  thread->tls = new_tls(thread);
  keys_begin_thread(thread);
  scopes_begin_thread(thread);
  start_fiber(thread);
  world.policy->add(thread);
  world.at_slot[thread->slot] = thread;
  if (thread->slot / 64 >= world.words)
    world.words = thread->slot / 64 + 1;
  set_ready(thread);
  world.event = world.steps;
  world.changed = world.steps;
  return thread;
}

// --------------------------------------------------------------------- run ---

static void put_back_globals(void) {
  for (uint32_t i = 0; i < world.dirty_count; i++) {
    uint64_t offset = (uint64_t)world.dirty_list[i] << CHUNK_BITS;
    memcpy((char *)(uintptr_t)GLOBALS_AT + offset, world.pristine + offset,
           1 << CHUNK_BITS);
    world.dirty[world.dirty_list[i]] = 0;
  }
  world.dirty_count = 0;
}

static void put_back_slots(void) {
  for (uint32_t i = 0; i < world.count; i++)
    world.at_slot[world.threads[i].slot] = NULL;
  for (unsigned i = 0; i < world.words; i++)
    world.ready[i] = 0;
  world.words = 1;
  world.ready_count = world.count = world.ended = world.waiting = 0;
  world.ended_with_lock = false;
}

static void put_back(void) {
  put_back_globals();
  put_back_slots();
  blocks_reset();
  output_reset();
  posix_reset();
  if (world.watches_races)
    races_reset();
  if (world.record)
    world.record->count = 0;
  world.steps = world.changed = world.trace = 0;
  world.now = FIRST_TIME;
  world.site = world.caller = 0;
  world.end = world.flaw = (RunEnd){.mishap = MISHAP_NONE};
  world.is_over = world.is_judged = world.has_yielded = false;
  world.misses_races = false;
  world.hidden = 0;
  world.spurious = world.question->spurious;
}

bool world_is_put_back(void) {
  put_back();
  return !memcmp((const void *)(uintptr_t)GLOBALS_AT, world.pristine,
                 world.globals_bytes);
}

void world_run(const SchedulePolicy *policy) {
  put_back();
  world.policy = policy;
  world.is_late = false;
  world.observes = world.watches_races || world.deeds;
  world.event = EVENT_WINDOW;
  policy->begin();
  enter(world_add_thread(NULL, NULL));
  world.is_in_program = true;
  fiber_switch(&world.controller, &world.self->fiber);
  bool may_look = world.is_over && !world.end.mishap;
  if (may_look && !world.flaw.mishap)
    held_look();
  if (may_look && !world.flaw.mishap)
    leaks_look();
  world.end.threads = world.count;
  world.end.trace = world.trace;
}

bool world_open(const ThreadsQuestion *question, const char **reason) {
  uint64_t chunks = (GLOBALS_BYTES >> CHUNK_BITS) + 1;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  world.question = question;
  world.sites = question->image->sites.at;
  world.threads = calloc(MOST_PROGRAM_THREADS, sizeof *world.threads);
  world.dirty = calloc(chunks, 1);
  world.dirty_list = calloc(chunks, sizeof *world.dirty_list);
  world.granules =
      mmap(NULL, HEAP_BYTES / GRANULE, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (!posix_variables_set(question)) {
    *reason =
        "the variables of this program are too large: 128 MiB have to hold "
        "the arguments and the environment, too";
    return false;
  }
  uint64_t bytes = (world.globals_bytes + 4095) / 4096 * 4096;
  world.pristine = malloc(bytes);
  if (!world.threads || !world.dirty || !world.dirty_list ||
      world.granules == MAP_FAILED || !world.pristine) {
    *reason = "out of memory";
    return false;
  }
  memcpy(world.pristine, (void *)(uintptr_t)GLOBALS_AT, bytes);
  return true;
}
